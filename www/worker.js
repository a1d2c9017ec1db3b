// The first message has the compiled module, and its rest if that is at hand; the module answers all later ones.
import { initSync, start_worker } from './pkg/subtable_web.js';
import { lookAfter } from './rest.js';

self.onmessage = ({ data }) => {
  const rest = lookAfter(initSync({ module: data.first }), (error) => self.postMessage(String(error)));
  if (data.rest) rest.join(data.rest);
  // The first view has come as far as its first command: now the rest can follow.
  else self.addEventListener('message', rest.follow, { once: true });
  start_worker();
};

// The first message is the compiled module; the module answers all later ones.
import { initSync, start_worker } from './pkg/subtable_web.js';
import { lookAfter } from './rest.js';

self.onmessage = ({ data }) => {
  const rest = lookAfter(initSync({ module: data }), (error) => self.postMessage(String(error)));
  start_worker();
  // The first view has come as far as its first command: now the rest can follow.
  self.addEventListener('message', rest.follow, { once: true });
};

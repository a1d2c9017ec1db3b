// The first message is the compiled module; the module answers all later ones.
import { initSync, start_worker } from './pkg/subtable_web.js';

self.onmessage = ({ data }) => {
  initSync({ module: data });
  start_worker();
};

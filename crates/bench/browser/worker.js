// The page's own worker, timed from inside: from the command to begin a run to the report of its end.
import { initSync, start_worker } from './pkg/subtable_web.js';

const answer = self.postMessage.bind(self);

self.onmessage = ({ data: module }) => {
  initSync({ module });
  start_worker();
  const obey = self.onmessage;
  let finish;
  // The worker's reports come here instead of going to a page.
  self.postMessage = (buffer) => {
    if (!(buffer instanceof ArrayBuffer)) throw new Error(`the worker failed: ${buffer}`);
    finish(buffer);
  };
  self.onmessage = ({ data: link }) => {
    const started = performance.now();
    finish = (buffer) => {
      const ms = performance.now() - started;
      const bytes = new Uint8Array(buffer);
      // It is still busy with reporting: the next command can only come after.
      queueMicrotask(() => obey({ data: { command: 'seen' } }));
      // A report begins with the number of its run and, once the run has ended, the hash of its result.
      const [run, ended, length] = bytes;
      if (run !== 1) throw new Error('this is no report of the run');
      if (ended === 1) answer({ ms, hash: new TextDecoder().decode(bytes.subarray(3, 3 + length)) });
    };
    obey({ data: { command: 'begin', run: 1, link, pace: 'full' } });
  };
  answer('ready');
};

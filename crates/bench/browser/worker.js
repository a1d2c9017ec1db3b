// The page's own worker, timed from inside: from the command to begin a run to the report of its end.
import { initSync, start_worker } from './pkg/subtable_web.js';
import { lookAfter } from './rest.js';

const answer = self.postMessage.bind(self);

// The page's commands, in the encoding in which it sends them: a number for the command, then its fields. Here `begin` with
// run 1, the link after its length, and the pace `full`; and `seen`.
const begin = (link) => {
  const text = new TextEncoder().encode(link);
  if (text.length > 127) throw new Error('the length of a longer link takes more than a byte');
  return new Uint8Array([0, 1, text.length, ...text, 2]);
};
const SEEN = new Uint8Array([4]);

self.onmessage = async ({ data: module }) => {
  const rest = lookAfter(initSync({ module }), (error) => answer(String(error)));
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
      queueMicrotask(() => obey({ data: SEEN }));
      // A report begins with the numbers of its run and of the place that was last asked for and, once the run has ended, the
      // hash of its result.
      const [run, , ended, length] = bytes;
      if (run !== 1) throw new Error('this is no report of the run');
      if (ended === 1) answer({ ms, hash: new TextDecoder().decode(bytes.subarray(4, 4 + length)) });
    };
    obey({ data: begin(link) });
  };
  // As in a page that has been open for a moment.
  await rest.follow();
  answer('ready');
};

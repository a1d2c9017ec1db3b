// Reads files slice by slice, so that memory stays small, and judges them as often as it is asked to.
import init, { LogReader } from './pkg/subtable_log_page.js';

const SLICE = 1 << 20;
const started = init();
let done;
let latest;

async function readAll(files, reader) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let read = 0;
  for (const [number, file] of files.entries()) {
    if (number > 0) reader.next_file();
    for (let from = 0; from < file.size; from += SLICE) {
      const slice = new Uint8Array(await file.slice(from, from + SLICE).arrayBuffer());
      reader.push(slice);
      read += slice.length;
      postMessage({ read, total });
    }
  }
  reader.finish();
}

self.onmessage = async ({ data }) => {
  latest = data;
  try {
    if (data.files) {
      await started;
      const reader = new LogReader(data.allLines);
      await readAll(data.files, reader);
      done = reader;
    }
    if (done) postMessage({ markup: done.results(latest.threshold, latest.dark, latest.width) });
  } catch (error) {
    postMessage({ trouble: `The log could not be read: ${error?.message ?? error}` });
  }
};

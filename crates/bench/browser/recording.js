
// Added to worker.js when the first view is recorded: says which functions have run, to whoever asks. The module is there
// already, and is only handed over once more.
new BroadcastChannel('recording').onmessage = ({ target }) =>
  target.postMessage(new Uint8Array(initSync().ran.buffer));

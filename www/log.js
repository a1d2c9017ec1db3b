// Takes a log from whoever has it, gives it to a worker, and shows what the worker makes of it.
const at = (id) => document.getElementById(id);
const [ask, drop, file, threshold, allLines, results, trouble] =
  ['ask', 'drop', 'file', 'threshold', 'all-lines', 'results', 'trouble'].map(at);

let worker;
let files = [];

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};
// A part of the results leaves so much for its picture.
const PADDING = 30;
const judged = () => ({ threshold: threshold.valueAsNumber, dark: isDark(), width: results.clientWidth - PADDING });

function stop() {
  worker?.terminate();
  worker = undefined;
  at('progress').hidden = true;
}

function fail(words) {
  stop();
  trouble.textContent = words;
  trouble.hidden = false;
}

function heard({ data }) {
  if (data.trouble) return fail(data.trouble);
  if (data.markup === undefined) {
    at('read').value = data.total ? data.read / data.total : 1;
    at('read-words').textContent = `${megabytes(data.read)} of ${megabytes(data.total)} MB`;
    return;
  }
  at('progress').hidden = true;
  // Made by the module, which escapes every text that comes from the log.
  results.innerHTML = data.markup;
}

function read(chosen) {
  if (!chosen.length) return;
  files = chosen;
  stop();
  trouble.hidden = true;
  results.replaceChildren();
  at('read').value = 0;
  at('read-words').textContent = '';
  at('progress').hidden = false;
  worker = new Worker(new URL('./log-worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', heard);
  worker.addEventListener('error', () => fail('The log could not be read: the worker broke down. Reload the page.'));
  worker.postMessage({ files, allLines: allLines.checked, ...judged() });
}

function judgeAgain() {
  if (threshold.validity.valid) worker?.postMessage(judged());
}

file.addEventListener('change', () => {
  read([...file.files]);
  // Else a log that has grown could not be chosen again: the browser would see no change.
  file.value = '';
});
threshold.addEventListener('input', judgeAgain);
allLines.addEventListener('change', () => read(files));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', judgeAgain);
ask.addEventListener('submit', (event) => event.preventDefault());
at('cancel').addEventListener('click', stop);

document.addEventListener('paste', (event) => {
  const text = event.clipboardData.getData('text');
  if (event.clipboardData.files.length) read([...event.clipboardData.files]);
  else if (text && event.target !== threshold) read([new Blob([text])]);
});
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
document.addEventListener('dragleave', () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  read([...event.dataTransfer.files]);
});

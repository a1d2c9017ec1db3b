// Loads the one module, gives it to the page and, through it, to the worker. Everything else is Rust.
// [where the module is
import { address, compiled, lookAfter } from './rest.js';

// Both parts of the module, as workers get them: those that start later get the rest with it.
const parts = {};
let rest;

async function load() {
  // The worker starts while the module is still on its way. One that cannot be started is started again by the page, which
  // then says why.
  const script = new URL('./worker.js', import.meta.url).href;
  let worker = new Worker(script, { type: 'module' });
  worker.onerror = () => (worker = undefined);
  // Where all files are kept already, nothing is won by waiting for the rest, which without a network could not be had at once.
  const kept = navigator.serviceWorker?.controller;
  const [page, first, all] = await Promise.all([
    import('./pkg/subtable_web.js'),
    compiled(new URL('./pkg/subtable_web_bg.wasm', import.meta.url)),
    kept && compiled(address).catch(() => {}),
  ]);
  rest = lookAfter(await page.default({ module_or_path: first }), (error) =>
    show('A part of the lab could not be loaded. The address holds the run: loading the page again loses nothing.', error));
  parts.first = first;
  if (all) parts.rest = rest.join(all);
  return [page, parts, script, worker];
}

// What the first view does not need must not hold it up: the rest of the module, then keeping the page for times without a
// network.
const started = async () => {
  parts.rest ??= await rest.follow();
  import('./offline.js');
};
// where the module is]

// What the page needs is on its way while the page itself is still being read.
const able = typeof WebAssembly === 'object' && typeof Worker === 'function';
const loading = able ? load().catch((error) => ({ error })) : undefined;
if (document.readyState === 'loading') await new Promise((read) => document.addEventListener('DOMContentLoaded', read));

const panel = document.getElementById('failure');
const report = document.getElementById('failure-report');

// These two must work whatever has broken. A worker that broke is started anew by the page itself.
document.getElementById('failure-reset').addEventListener('click', () => {
  if ('reload' in panel.dataset) location.reload();
});
document.getElementById('failure-copy').addEventListener('click', () => navigator.clipboard?.writeText(report.textContent));

const show = (words, error) => {
  document.documentElement.dataset.state = 'failed';
  document.getElementById('failure-words').textContent = words;
  report.textContent = String(error?.stack ?? error ?? '');
  panel.dataset.reload = '';
  panel.hidden = false;
};

if (!able) {
  show('This browser has no WebAssembly or no workers, or they are switched off. The lab needs both.');
} else {
  try {
    const loaded = await loading;
    if (loaded.error) throw loaded.error;
    const [page, ...made] = loaded;
    page.start_page(...made);
    started();
  } catch (error) {
    show('The lab could not be loaded. Reload the page; when that does not help, the report below says why.', error);
  }
}

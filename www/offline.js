// Has the page kept for times without a network, and offers a newer version when there is one. Nothing here is needed to
// use the page: where the browser refuses (no https, private window), all else works.
const notice = document.getElementById('update');

function offer(worker) {
  notice.hidden = false;
  document.getElementById('update-load').addEventListener('click', () => {
    // The address holds the run: loading anew loses nothing.
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    worker.postMessage('take over');
  }, { once: true });
  document.getElementById('update-later').addEventListener('click', () => { notice.hidden = true; }, { once: true });
}

// Without a controller this is the first visit: there is no older version to replace.
const offerWhenInstalled = (worker) => worker.addEventListener('statechange', () => {
  if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
});

try {
  const registration = await navigator.serviceWorker?.register(new URL('./sw.js', import.meta.url), { type: 'classic' });
  if (registration?.waiting) offer(registration.waiting);
  if (registration?.installing) offerWhenInstalled(registration.installing);
  registration?.addEventListener('updatefound', () => offerWhenInstalled(registration.installing));
  await navigator.serviceWorker?.ready;
  if (registration) document.documentElement.dataset.offline = 'ready';
} catch { /* no place to keep it: the page works as long as there is a network */ }

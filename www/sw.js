// Keeps the whole page, so that it works without a network. The build writes which files there are, and a version that
// changes with the content of any of them.
const VERSION = 'unbuilt';
const FILES = ['./'];

// Other pages of the same host may keep caches too: the scope tells ours apart.
const OURS = `subtable-lab ${self.registration.scope} `;
const CACHE = OURS + VERSION;

// A published page is taken from the cache, all of one version. While the page is being worked on, its files have no
// hashes in their names: then the network is asked first.
const PATIENCE_MS = 2000;
const PUBLISHED = FILES.some((file) => /\.[0-9a-f]{10}\.\w+$/.test(file));

async function install() {
  const cache = await caches.open(CACHE);
  // The browser's own cache may hold what an older version had under the same name.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  // What follows the `?` is for the page, not for the host.
  const kept = () => cache.match(request, { ignoreSearch: true });
  if (PUBLISHED) return (await kept()) ?? fetch(request);
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const copy = await kept();
    if (copy) return copy;
    throw error;
  }
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', ({ data }) => data === 'take over' && self.skipWaiting());
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});

if (location.hash === '#foreign') {
  fetch('https://worker.test/', { mode: 'no-cors' }).catch(() => postMessage('refused'));
} else {
  postMessage('started');
  console.error('logged by a worker');
  setTimeout(() => { throw new Error('thrown by a worker'); });
}

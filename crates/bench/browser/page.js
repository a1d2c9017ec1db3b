// Loaded before everything else of the page: notes the time that its scripts take in each frame, when keys are painted, and
// when the first chart is.
(() => {
  const bench = { frames: [], keys: [], firstChart: null, watch: false };
  window.bench = bench;
  let script = 0;

  const timed = (callback) => function run(...parameters) {
    const started = performance.now();
    try {
      return callback.apply(this, parameters);
    } finally {
      script += performance.now() - started;
    }
  };
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => frame(timed(callback));
  const onmessage = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', {
    ...onmessage,
    set(callback) { onmessage.set.call(this, callback && timed(callback)); },
  });

  // A message that is sent in a frame comes after that frame has been painted.
  const painted = (then) => frame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => then(performance.now());
    channel.port2.postMessage(null);
  });

  const next = () => {
    // Frames in which nothing ran would only make the others look rarer.
    if (bench.watch && script > 0) bench.frames.push(script);
    script = 0;
    frame(next);
  };
  frame(next);

  window.addEventListener('keydown', (event) => {
    if (bench.watch) painted((at) => bench.keys.push(at - event.timeStamp));
  }, { capture: true });

  // A chart's words change when it has been drawn.
  const charts = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof HTMLCanvasElement)) {
      charts.disconnect();
      painted((at) => { bench.firstChart = at; });
    }
  });
  charts.observe(document, { attributes: true, attributeFilter: ['aria-label'], subtree: true });
})();

// All of it is in this file: the module, packed, and the script that loads it, which is the worker's script too.
async function load() {
  const packed = Uint8Array.from(atob(document.getElementById('module').textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const answer = 'self.onmessage = ({ data }) => { wasm_bindgen.initSync({ module: data }); wasm_bindgen.start_worker(); };';
  const worker = new Blob([document.getElementById('glue').textContent, answer], { type: 'text/javascript' });
  wasm_bindgen.initSync({ module });
  return [wasm_bindgen, module, URL.createObjectURL(worker)];
}

const started = () => {};

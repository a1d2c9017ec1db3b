// The second part of the module: it follows once the first view is there, or joins at once when something needs it before.
// It has no state of its own, so that joining it twice does no harm.
export const address = new URL('./pkg/subtable_web_rest.wasm', import.meta.url);

export async function compiled(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Some hosts serve the module under another type than application/wasm: then it is read first and compiled after.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

// A page may not ask for bytes while it waits, but for text: this one has a letter for each byte.
function bytesAtOnce() {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status} ${request.statusText}`);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0));
}

// Begins to look after the first part, whose exports these are; `failed` is told when the rest is needed and cannot be had.
export function lookAfter(first, failed) {
  const join = (module) => {
    new WebAssembly.Instance(module, { first });
    return module;
  };
  globalThis.joinRest = () => {
    try {
      join(new WebAssembly.Module(bytesAtOnce()));
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  // What fails to follow is tried again, and told, when it is needed.
  return { join, follow: () => compiled(address).then(join).catch(() => {}) };
}

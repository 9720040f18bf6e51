/** Compresses a text. */
export const gzip = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();

/** The inverse. Throws if it is no gzip. */
export const gunzip = (body: ReadableStream): Promise<string> =>
  new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();

/** The start of a response's text, and whether it is all of it. */
export type ResponseStart = { readonly text: string; readonly isWhole: boolean };

/**
 * Reads the start of a response: a server may answer without end. Cancels the rest.
 *
 * @param most bytes
 */
export async function readStart({ body }: Response, most: number): Promise<ResponseStart> {
  if (body === null) return { text: "", isWhole: true };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  while (size < most) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, most - size), { stream: true });
    size += value.length;
  }
  await reader.cancel();
  return { text, isWhole: false };
}

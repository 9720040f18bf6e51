// A number and its noun, which agree.

/** `1 alert`, `2 alerts`; `1 person`, `2 people`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

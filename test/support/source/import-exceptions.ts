// Imports that the layout does not allow yet. The list only gets shorter: a test fails on one that is missing here, and on
// one that is no longer needed.
export const IMPORT_EXCEPTIONS: readonly string[] = [
];

// In the place of the parts of hono's JSX that render in a browser or to a stream (`alias` in wrangler.toml): pages are rendered to text.
const inBrowser = (): never => {
  throw new Error("pages are rendered to text");
};

// Their names are those that the library imports.
export const buildDataStack: readonly unknown[] = [];
export const update = inBrowser;
export const ErrorBoundary = inBrowser;
export const Suspense = inBrowser;
export const useActionState = inBrowser;
export const useOptimistic = inBrowser;
export const createContextProviderFunction = () => inBrowser;

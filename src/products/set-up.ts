// The set-up of an integration type: steps, texts to paste and a sample request. Not part of the
// worker's bundle: `npm run assets` writes it to the static assets.

/**
 * A text to paste at the sender, with placeholders: `<URL>` is the integration's URL, `<ID>` its
 * `prefix_id`, `<KEY>` its intake key, `<ORIGIN>` this service's address, `<TOKEN>` its token; `<STANDBY_URL>` and
 * `<STANDBY_ORIGIN>` the same at the deployment's standby.
 */
type Snippet = {
  readonly title: string;
  readonly format: "yaml" | "json" | "shell" | "text";
  readonly text: string;
};

/** A request in the sender's own format that creates an alert: the test event, and a test's. */
export type Sample = {
  readonly headers: Readonly<Record<string, string>>;
  /** `POST` by default. */
  readonly method?: string;
  /** The suffix of the integration's URL: a query or a path. */
  readonly query?: string;
  /** JSON, or a string that is sent unchanged. */
  readonly body: string | Readonly<Record<string, unknown>>;
};

/** Steps may have placeholders, too. A step or line with `<TOKEN>` is for integrations with one. */
type Instructions = {
  readonly steps: readonly [string, ...string[]];
  readonly snippets: readonly Snippet[];
};

export type SetUp =
  | (Instructions & {
      readonly kind: "incoming";
      /** The step by which the sender sends its events to a standby as well; or that it takes one address only. */
      readonly standby: string;
      /** In place of `snippets`, where these have both addresses. */
      readonly standbySnippets?: readonly Snippet[];
      /** Null if no request has a format of the type's own that creates an alert. */
      readonly sample: Sample | null;
    })
  | (Instructions & { readonly kind: "outgoing" });

/** The set-up of a type as it is stored and served. */
export type StoredSetUp = {
  readonly steps: readonly string[];
  readonly snippets: readonly Snippet[];
  /** Where the deployment has a standby: a further step, and what takes the place of the snippets. */
  readonly standby?: { readonly step: string; readonly snippets?: readonly Snippet[] };
  readonly sample?: Sample;
};

/** The set-ups of all types, by the type's name. */
export type StoredSetUps = Readonly<Record<string, StoredSetUp>>;

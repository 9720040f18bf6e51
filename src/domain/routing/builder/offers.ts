// What the builder of rules offers, as the page gives it to the script.
import type { RulesKind, Scalar, ShownRule } from "./model.ts";

/** A record with both forms of its identifier, because rules may have either. */
export type Offer = readonly [id: string, prefixId: string, label: string];

export type EventField = {
  readonly path: string;
  /** As people say it: "Label severity". */
  readonly label: string;
  /** Its values in recent events, the latest first; at least one. */
  readonly examples: readonly Scalar[];
};

/** Rules to insert. */
export type RuleTemplate = { readonly label: string; readonly rules: readonly ShownRule[] };

export type BuilderData = {
  readonly kind: RulesKind;
  readonly teams: readonly Offer[];
  readonly people: readonly Offer[];
  readonly routers: readonly Offer[];
  readonly sources: readonly Offer[];
  /** Of recent alerts. */
  readonly tags: readonly string[];
  /** Of recent events. */
  readonly fields: readonly EventField[];
  /** Those on which the people of a notification rule can be notified. */
  readonly channels: readonly string[];
  readonly templates: readonly RuleTemplate[];
  readonly timeZone: string;
};

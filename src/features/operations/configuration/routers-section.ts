import { mapReceivers } from "../../../domain/routing/builder/receivers-in-text.ts";
import { RECEIVER_TYPES } from "../../../domain/routing/rules/router-rules.ts";
import type { Router } from "../../../features/routing/routers/contract.ts";
import { CreateRouter, UpdateRouter } from "../../../features/routing/routers/parameters.ts";
import { routerRecords } from "../../../features/routing/routers/rows.ts";
import { createRouter, updateRouter } from "../../../features/routing/routers/verbs.ts";
import { selectEvery } from "../../../kernel/db/records.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type KeyOf,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

const PLAIN = plainFields(CreateRouter);

/** How entries name the types of receivers: `team:payments`, `person:ada@example.com`. */
const WORDS = { team: "team", router: "router", account_user: "person" } as const;

const defaultParameter = (type: keyof typeof WORDS) => `default_receiver_${type}_id` as const;

/** Routers. In their rules too, receivers are named by key. */
export const routersSection = declareSection({
  name: "routers",
  kind: "router",
  fields: [...PLAIN, "default_receiver"],
  fieldNames: Object.fromEntries(
    RECEIVER_TYPES.map((type) => [defaultParameter(type), "default_receiver"]),
  ),
  select: (accountId) => selectEvery(routerRecords, accountId),
  show,
  parametersOf,
  create: validated(CreateRouter, createRouter),
  update: validated(UpdateRouter, (context, id, body) => updateRouter(context, byId(id), body)),
});

function show(router: Router, keyOf: KeyOf): Entry {
  const named = RECEIVER_TYPES.map((type) => {
    const id = router[defaultParameter(type)];
    const key = id && keyOf(type, id);
    return key ? `${WORDS[type]}:${key}` : null;
  });
  // Rules may name a receiver that has been deleted since: it stays as it is.
  const nameOf = (identifier: string) => {
    for (const type of RECEIVER_TYPES) {
      const key = keyOf(type, identifier);
      if (key !== null) return `${WORDS[type]}:${key}`;
    }
    return identifier;
  };
  return {
    ...pick(router, PLAIN),
    rules: mapReceivers(router.rules, nameOf),
    default_receiver: named.find((it) => it !== null) ?? null,
  };
}

function parametersOf(
  entry: Entry,
  find: Finder,
  place: string,
  stored: Router | null,
): Parameters {
  const { rules, default_receiver: receiver } = entry;
  const text = typeof rules === "object" && rules !== null ? JSON.stringify(rules) : rules;
  return {
    ...pick(entry, PLAIN),
    ...(typeof text === "string" && {
      rules: mapReceivers(text, (named) => receiverOf(named, find, `${place}.rules`)?.id ?? named),
    }),
    ...(receiver !== undefined && defaultOf(receiver, find, `${place}.default_receiver`, stored)),
  };
}

function defaultOf(receiver: unknown, find: Finder, place: string, stored: Router | null) {
  const found = receiverOf(receiver, find, place);
  if (found === null) return {};
  const cleared = RECEIVER_TYPES.filter((type) => stored?.[defaultParameter(type)] != null);
  return {
    ...Object.fromEntries(cleared.map((type) => [defaultParameter(type), null])),
    [defaultParameter(found.type)]: found.id,
  };
}

/** The receiver that a text such as `team:payments` names; null, with a fault, if there is none. */
function receiverOf(named: unknown, find: Finder, place: string) {
  const [, word, key] = (typeof named === "string" && /^(\w+):(.+)$/.exec(named)) || [];
  const type = RECEIVER_TYPES.find((it) => WORDS[it] === word);
  if (type === undefined) {
    const words = "team:KEY, router:KEY or person:EMAIL";
    find.fault(place, `names the receiver ${String(named).slice(0, 64)}; it must be ${words}`);
    return null;
  }
  const id = find.idOf(type, key, place);
  return id === null ? null : { type, id };
}

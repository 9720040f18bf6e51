// Which actions the builder can show: those whose fields are texts, numbers and lists of them.
import { isJsonObject } from "../../shared/json.ts";
import { isScalarValue } from "./conditions.ts";
import type { Action, RulesKind } from "./model.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" || typeof value === "number";
const isTexts: Check = (value) => isText(value) || (Array.isArray(value) && value.every(isText));
const isFlag: Check = (value) => typeof value === "boolean";
const isValues: Check = (value) =>
  isJsonObject(value) &&
  hasOnly(value, { title: isText, description: isText, urgency: isText, tags: isTexts });

/** The fields of each action. */
const FIELDS: Readonly<
  Record<RulesKind, Readonly<Record<string, Readonly<Record<string, Check>>>>>
> = {
  router: {
    assign: { receiver: isTexts, delay: isText },
    ignore: {},
    setval: { map: isValues, handlebars: isFlag },
    incident: { severity: isText, message: isText, handlebars: isFlag },
    aggregate: { by: isTexts, timeout: isText, receiver: isTexts },
  },
  notification_rule: {
    notify: {
      ...{ channels: isTexts, channel_options: isJsonObject },
      ...{ timeout: isText, unless_delivered: isFlag },
    },
    repeat: { times: isScalarValue },
    ignore: {},
    hold: { until: isText, timezone: isText },
  },
};

const hasOnly = (
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
) => Object.entries(value).every(([key, it]) => Object.hasOwn(checks, key) && checks[key]?.(it));

function isAction(kind: RulesKind, value: unknown): value is Action {
  if (!isJsonObject(value)) return false;
  const { type, ...fields } = value;
  const checks = FIELDS[kind];
  if (typeof type !== "string" || !Object.hasOwn(checks, type)) return false;
  return hasOnly(fields, checks[type] ?? {});
}

/** The actions of a rule; null if one cannot be shown. */
export function readActions(kind: RulesKind, value: unknown): readonly Action[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const actions = value.filter((it) => isAction(kind, it));
  return actions.length === value.length ? actions : null;
}

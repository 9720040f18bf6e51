// Parses notification rules: on which channels a person is notified of which events, how often, or
// when held (contract 2 and 6). Parsed on save and before each notification.

import {
  NOTIFICATION_EVENTS,
  type NotificationEvent,
} from "../../notifications/notification-events.ts";
import { MESSENGERS } from "../../people/messengers.ts";
import {
  allowKeys,
  type Fault,
  fault,
  type Located,
  type LocatedMap,
  plain,
} from "../conditions/located.ts";
import { readTimeOfDay, readZone } from "../conditions/time-conditions.ts";
import { fieldOf, itemsOf, readDuration, readFlag, readIgnore } from "./action-fields.ts";
import {
  checkReached,
  type Dialect,
  type LocatedAction,
  type Rule,
  type RuleResult,
  reachedActions,
  readRuleList,
} from "./rule-list.ts";

const NOTIFICATION_CHANNELS = ["email", "sms", "voice", "push", ...MESSENGERS] as const;
type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** Channels that allow choosing an address. */
const ADDRESSED = ["email", "sms", "voice"] as const;
type AddressedChannel = (typeof ADDRESSED)[number];

/** The choice of a person's address: primary, secondary, or a literal one. */
export type AddressChoice = {
  readonly address: "primary" | "secondary" | { readonly literal: string };
  /** Whether another usable address may replace it when it is missing or unusable. */
  readonly fallback: boolean;
};

export type NotifyAction = {
  readonly type: "notify";
  readonly channels: readonly NotificationChannel[];
  readonly addresses: Readonly<Partial<Record<AddressedChannel, AddressChoice>>>;
  /** How long to wait for an answer before the next action (ms); null = none. */
  readonly timeoutMs: number | null;
  /** Whether nobody is notified by it once a message of an action before it was delivered. */
  readonly unlessDelivered: boolean;
};

export type NotificationAction =
  | NotifyAction
  /** Repeats the preceding actions `times` more. */
  | { readonly type: "repeat"; readonly times: number }
  | { readonly type: "ignore" }
  /** Quiet hours: holds notifications until the next `until` (minutes since midnight). */
  | { readonly type: "hold"; readonly until: number; readonly timeZone: string | null };

export type NotificationRules = readonly (Rule<NotificationAction> & {
  readonly types: readonly NotificationEvent[];
})[];

const MAX_REPEATS = 3;
const MIN_REPEATED_MS = 60_000;

/** Parses a notification rule's document. Reports all faults at once. */
export function readNotificationRules(text: string): RuleResult<NotificationRules> {
  return readRuleList(text, DIALECT);
}

export const NOTIFICATION_ACTIONS = ["notify", "repeat", "ignore", "hold"] as const;

const DIALECT: Dialect<NotificationAction, { readonly types: readonly NotificationEvent[] }> = {
  actionTypes: NOTIFICATION_ACTIONS,
  readAction: (type, node, faults) => {
    switch (type) {
      case "notify":
        return readNotify(node, faults);
      case "repeat":
        return readRepeat(node, faults);
      case "hold":
        return readHold(node, faults);
      default:
        return readIgnore(node, faults);
    }
  },
  extraKeys: ["types"],
  readExtra: (rule, faults) => ({ types: readTypes(rule, faults) }),
  checkActions: checkOrder,
};

/** Whether a notify's timeout is too short to repeat, which would flood the person. */
const isTooShortToRepeat = (action: NotificationAction): boolean =>
  action.type === "notify" && action.timeoutMs !== null && action.timeoutMs < MIN_REPEATED_MS;

/** The actions that end a rule. */
const ENDINGS = ["ignore", "repeat"] as const;

function checkOrder(actions: readonly LocatedAction<NotificationAction>[], faults: Fault[]): void {
  let hasNotify = false;
  const tooShort = actions.filter(({ action }) => isTooShortToRepeat(action));
  let isWaited = false;
  for (const { action, node } of reachedActions(actions, ENDINGS)) {
    if (action.type === "notify") {
      hasNotify = true;
      if (action.unlessDelivered && !isWaited)
        fault(faults, node, "unless_delivered needs a notify with a timeout before it");
      isWaited ||= action.timeoutMs !== null;
    }
    if (action.type === "repeat" && !hasNotify)
      fault(faults, node, "repeat needs a notify before it");
    if (action.type === "repeat" && action.times > 0) {
      for (const it of tooShort)
        fault(faults, it.node, "a timeout that is repeated must be at least 1m");
    }
  }
  checkReached(actions, ENDINGS, "is the last", faults);
}

function readTypes(rule: LocatedMap, faults: Fault[]): readonly NotificationEvent[] {
  const types = fieldOf(rule, "types");
  if (types === undefined) return ["alert.open"];
  return readWords(types, NOTIFICATION_EVENTS, "types", faults);
}

/** Reads one or more of the known words. */
function readWords<const Word extends string>(
  node: Located,
  known: readonly Word[],
  name: string,
  faults: Fault[],
): readonly Word[] {
  const items = itemsOf(node);
  if (items.length === 0) fault(faults, node, `${name} must name at least one`);
  const words = items.map((item) => {
    const word = known.find((one) => one === plain(item));
    if (word === undefined) fault(faults, item, `${name}: must be one of ${known.join(", ")}`);
    return word;
  });
  return [...new Set(words.filter((word) => word !== undefined))];
}

function readNotify(node: LocatedMap, faults: Fault[]): NotificationAction {
  const keys = ["type", "channels", "channel_options", "timeout", "unless_delivered"];
  allowKeys(node, keys, faults);
  const channels = fieldOf(node, "channels");
  if (channels === undefined) fault(faults, node, "notify needs channels");
  return {
    type: "notify",
    channels: channels ? readWords(channels, NOTIFICATION_CHANNELS, "channels", faults) : [],
    addresses: readAddresses(fieldOf(node, "channel_options"), faults),
    timeoutMs: readDuration(node, "timeout", { needed: false, zero: false }, faults),
    unlessDelivered: readFlag(node, "unless_delivered", faults, false),
  };
}

const fallbackKey = (channel: AddressedChannel) => `${channel}_fallback`;

function readAddresses(node: Located | undefined, faults: Fault[]): NotifyAction["addresses"] {
  if (node === undefined) return {};
  if (node.kind !== "map") {
    fault(faults, node, "channel_options must be a map");
    return {};
  }
  allowKeys(
    node,
    ADDRESSED.flatMap((it) => [it, fallbackKey(it)]),
    faults,
  );
  const addresses: Partial<Record<AddressedChannel, AddressChoice>> = {};
  for (const channel of ADDRESSED) {
    const choice = readAddress(node, channel, faults);
    if (choice !== null) addresses[channel] = choice;
  }
  return addresses;
}

/** Reads one channel's address choice; `fallback` defaults to true. */
function readAddress(
  options: LocatedMap,
  channel: AddressedChannel,
  faults: Fault[],
): AddressChoice | null {
  const addressNode = fieldOf(options, channel);
  const fallback = readFlag(options, fallbackKey(channel), faults, true);
  const hasFallback = fieldOf(options, fallbackKey(channel)) !== undefined;
  if (addressNode === undefined && !hasFallback) return null;
  const text = addressNode ? String(plain(addressNode)).trim() : "primary";
  if (addressNode && (addressNode.kind !== "scalar" || text === "" || text.length > 320)) {
    fault(faults, addressNode, `${channel} must be primary, secondary or an address`);
    return null;
  }
  const address = text === "primary" || text === "secondary" ? text : { literal: text };
  return { address, fallback };
}

function readRepeat(node: LocatedMap, faults: Fault[]): NotificationAction {
  allowKeys(node, ["type", "times"], faults);
  const timesNode = fieldOf(node, "times");
  const times = timesNode ? plain(timesNode) : null;
  const isValid = Number.isInteger(times) && Number(times) >= 0 && Number(times) <= MAX_REPEATS;
  if (!isValid) fault(faults, timesNode ?? node, `repeat needs times, 0 to ${MAX_REPEATS}`);
  return { type: "repeat", times: isValid ? Number(times) : 0 };
}

function readHold(node: LocatedMap, faults: Fault[]): NotificationAction {
  allowKeys(node, ["type", "until", "timezone"], faults);
  const until = readTimeOfDay(node, "until", faults) ?? 0;
  const timeZone = fieldOf(node, "timezone") ? readZone(node, faults) : null;
  return { type: "hold", until, timeZone };
}

// The form of an action: its type and its fields, with the account's names.
import type { Action } from "../../domain/routing/builder/model.ts";
import { listText, readList } from "../../domain/routing/builder/values.ts";
import { element } from "../client/element.client.ts";
import { eventFieldGroup, type FormPart } from "./condition-form.client.ts";
import { check, fieldsOf, labelled, type Option, type OptionGroup } from "./elements.client.ts";
import {
  ALERT_FIELDS,
  CHANNELS,
  NOTIFICATION_ACTIONS,
  ROUTER_ACTIONS,
  SEVERITIES,
  URGENCIES,
} from "./words.client.ts";

type ActionPart = FormPart<Action>;

const textsOf = (value: unknown): readonly string[] =>
  value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);

/** One value as it is, several as a list; a list stays one. */
const oneOrList = (values: readonly string[], before: unknown) =>
  values.length === 1 && !Array.isArray(before) ? values[0] : values;

export function newAction(type: string, { teams, people, channels }: ActionPart["data"]): Action {
  const receiver = teams[0]?.[1] ?? people[0]?.[1] ?? "";
  switch (type) {
    case "assign":
      return { type, receiver };
    case "setval":
      return { type, map: { urgency: "low" } };
    case "aggregate":
      return { type, by: ["alert.title"], timeout: "10m", receiver };
    case "notify":
      return { type, channels: [channels[0] ?? "push"] };
    case "repeat":
      return { type, times: 1 };
    case "hold":
      return { type, until: "07:00" };
    default:
      return { type };
  }
}

export function actionForm(action: Action, part: ActionPart): HTMLElement {
  const { id, label, data, change } = part;
  const options = data.kind === "router" ? ROUTER_ACTIONS : NOTIFICATION_ACTIONS;
  const type = fieldsOf(id, label).select("type", "type", options, action.type, (chosen) =>
    change(newAction(chosen, data), true),
  );
  return element("div", { class: "action" }, type, ...actionFields(action, part));
}

/** The channels that the people have, and those that the rule names; all if nobody is known. */
const channelsFor = (
  { channels }: ActionPart["data"],
  named: readonly string[],
): readonly Option[] =>
  channels.length === 0
    ? CHANNELS
    : CHANNELS.filter(([channel]) => channels.includes(channel) || named.includes(channel));

function actionFields(action: Action, part: ActionPart): readonly HTMLElement[] {
  const { id, label } = part;
  const fields = fieldsOf(id, label);
  // Each key changes the action as it is then.
  let latest = action;
  const set = (name: string, value: unknown, isRedrawn = false) => {
    const { [name]: _, ...others } = latest;
    latest = (
      value === "" || value === undefined ? others : { ...latest, [name]: value }
    ) as Action;
    part.change(latest, isRedrawn);
  };
  const text = (name: string, title: string, placeholder: string) =>
    labelled(
      title,
      fields.input(
        name,
        title.toLowerCase(),
        String(action[name] ?? ""),
        (value) => set(name, value.trim()),
        { placeholder },
      ),
    );
  switch (action.type) {
    case "assign":
      return [receivers(action, part, set), text("delay", "After", "at once, or 5m")];
    case "aggregate": {
      const by = pathList(action, part, set);
      return [receivers(action, part, set), by, text("timeout", "For", "10m")];
    }
    case "setval":
      return valueFields(action, part, set);
    case "incident": {
      const choices: readonly Option[] = [["", "unknown"], ...SEVERITIES];
      const chosen = String(action.severity ?? "");
      const severity = fields.select("severity", "severity", choices, chosen, (value) =>
        set("severity", value),
      );
      return [labelled("Severity", severity), text("message", "Message", "none")];
    }
    case "notify": {
      const named = textsOf(action.channels);
      const offered = channelsFor(part.data, named);
      const channels = fields.boxes("channels", "channels", offered, named, (values) =>
        set("channels", values),
      );
      const condition = check(
        `${id}.unless_delivered`,
        `${label}: only if no message before it was delivered`,
        "Only if no message before it was delivered",
        action.unless_delivered === true,
        (isSet) => set("unless_delivered", isSet || undefined),
      );
      return [channels, condition, text("timeout", "Then wait", "not, or 5m")];
    }
    case "repeat": {
      const number = { type: "number", min: "0", max: "3" };
      const change = (value: string) => set("times", Number(value));
      const times = fields.input("times", "times", String(action.times ?? ""), change, number);
      return [labelled("Times", times)];
    }
    case "hold":
      return [text("until", "Time", "07:00"), text("timezone", "Zone", "UTC")];
    default:
      return [];
  }
}

type Set = (name: string, value: unknown, isRedrawn?: boolean) => void;

/** A list of names that shrinks and grows: one picker for each, and one to add. */
function receivers(action: Action, { id, label, data }: ActionPart, set: Set): HTMLElement {
  const chosen = textsOf(action.receiver);
  const list = element("div", { class: "receivers" });
  for (const [i, receiver] of [...chosen, ""].entries()) {
    const options = (offers: typeof data.teams) =>
      // The form of the identifier that the rule has.
      offers.map(([own, prefix, name]): Option => [receiver === own ? own : prefix, name]);
    const groups: readonly OptionGroup[] = [
      {
        label: "",
        options: [
          ["", receiver === "" ? (i === 0 ? "Choose whom it goes to" : "and also…") : "Remove"],
        ],
      },
      { label: "Teams", options: options(data.teams) },
      { label: "People", options: options(data.people) },
      { label: "Routers", options: options(data.routers) },
    ];
    const name = `goes to ${i + 1}`;
    list.append(
      fieldsOf(id, label).select(`receiver.${i}`, name, groups, receiver, (value) => {
        const values = [...chosen, ""].with(i, value).filter((it) => it !== "");
        set("receiver", oneOrList(values, chosen.length > 1 ? [] : action.receiver), true);
      }),
    );
  }
  return list;
}

function pathList(action: Action, { id, label, data }: ActionPart, set: Set): HTMLElement {
  const paths = textsOf(action.by);
  const groups: readonly OptionGroup[] = [
    { label: "Alert", options: ALERT_FIELDS },
    eventFieldGroup(data),
  ];
  if (paths.length === 1)
    return labelled(
      "Same",
      fieldsOf(id, label).select("by", "same field", groups, paths[0] ?? "", (value) =>
        set("by", oneOrList([value], action.by)),
      ),
    );
  return labelled(
    "Same",
    fieldsOf(id, label).input("by", "same fields", listText(paths), (value) =>
      set("by", readList(value).map(String)),
    ),
  );
}

function valueFields(action: Action, { id, label }: ActionPart, set: Set): readonly HTMLElement[] {
  let map = (action.map ?? {}) as Readonly<Record<string, unknown>>;
  const change = (name: string, value: unknown) => {
    const { [name]: _, ...others } = map;
    map =
      value === "" || (Array.isArray(value) && value.length === 0)
        ? others
        : { ...map, [name]: value };
    set("map", map);
  };
  const { select, input } = fieldsOf(id, label);
  const choices: readonly Option[] = [["", "unchanged"], ...URGENCIES];
  const placeholder = "unchanged";
  const urgency = select("urgency", "urgency", choices, String(map.urgency ?? ""), (value) =>
    change("urgency", value),
  );
  const changeTitle = (value: string) => change("title", value);
  const title = input("title", "title", String(map.title ?? ""), changeTitle, { placeholder });
  const changeTags = (value: string) => change("tags", readList(value).map(String));
  const tags = input("tags", "tags", listText(textsOf(map.tags)), changeTags, {
    ...{ placeholder, list: "rules-tags" },
  });
  return [labelled("Urgency", urgency), labelled("Title", title), labelled("Tags", tags)];
}

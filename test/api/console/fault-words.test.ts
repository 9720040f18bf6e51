// Forms submitted empty: each fault is said in the page's words, and the first field at fault has the focus.
import { beforeAll, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../support/api/forms.ts";
import { type Browser, signInAdmin } from "../../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

let inhabited: Inhabited;
let browser: Browser;

beforeAll(async () => {
  inhabited = await makeInhabited("empty-handed");
  browser = await signInAdmin(inhabited);
});

/** What a form says of itself, and nobody has typed. */
const GIVEN = [
  "form_token",
  "once",
  "back",
  "boxes[]",
  "integration_type_id",
  "channel",
  "changed",
];

/** A parameter's name, or a word of the API. */
const UNSPOKEN = /\b[a-z]+(?:_[a-z0-9]+)+\b|ISO 8601|account user|\ban person\b|undefined|null/;

/** The page of each form, and the path that it posts to. */
const forms = (): readonly (readonly [page: string, action: string])[] => {
  const schedule = `/schedules/${inhabited.ids.schedule.prefixId}`;
  const alert = `/alerts/${inhabited.ids.alert.prefixId}`;
  return [
    ["/alerts/new", "/alerts/new"],
    [`${alert}/edit`, `${alert}/edit`],
    ["/teams/new", "/teams"],
    ["/escalation_policies/new", "/escalation_policies"],
    ["/integrations/new?type=webhook", "/integrations"],
    ["/integrations/new?type=heartbeat", "/integrations"],
    ["/integrations/new?type=slack_app", "/integrations"],
    ["/routers/new", "/routers"],
    ["/notification_rules/new", "/notification_rules"],
    ["/maintenance_windows/new", "/maintenance_windows"],
    ["/calendars/holidays/new", "/calendars/holidays"],
    ["/calendars/absences/new", "/calendars/absences"],
    ["/calendars/imports/new", "/calendars/imports"],
    ["/broadcasts?add=1", "/broadcasts"],
    ["/absences?add=1", "/absences"],
    ["/people", "/people"],
    ["/on-call", "/schedules"],
    [`${schedule}/events/new`, `${schedule}/events`],
    [`${schedule}/rotations/new`, `${schedule}/rotations`],
    ["/configuration/file", "/configuration/file"],
    ["/settings", "/settings/phones"],
    ["/settings", "/settings/emails"],
    ["/password", "/password"],
  ];
};

test("are answered in the page's words, with the focus on the first field", async () => {
  const found: string[] = [];
  for (const [page, action] of forms()) {
    const shown = await browser.get(page);
    const all = formsOf(shown.text);
    const form = all.find((it) => it.action === action);
    if (form === undefined) {
      found.push(`${page}: no form to ${action}, but to ${all.map((it) => it.action)}`);
      continue;
    }
    const fields = form.fields.map(
      ([name, value]) => [name, GIVEN.includes(name) ? value : ""] as const,
    );
    const { status, text } = await browser.post(action, bodyOf({ fields }));
    const faults = [...text.matchAll(/class="(?:faults|notice bad)[^>]*>(.*?)<\/(?:p|div|ul)>/gs)]
      .map(([, words = ""]) =>
        words
          .replace(/<[^>]*>/g, " ")
          .replace(/\s+/g, " ")
          .trim(),
      )
      .filter((it) => it !== "");
    const hasFocus = /aria-invalid="true"[^>]*autofocus|autofocus[^>]*aria-invalid="true"/.test(
      text,
    );
    const wrong = [
      ...(status === 422 ? [] : [`is answered ${status}`]),
      ...(faults.length > 0 ? [] : ["says nothing"]),
      ...faults.filter((it) => UNSPOKEN.test(it)),
      ...(hasFocus ? [] : ["has no focus"]),
    ];
    found.push(...wrong.map((it) => `${page} ${action}: ${it}`));
  }
  expect(found).toEqual([]);
});

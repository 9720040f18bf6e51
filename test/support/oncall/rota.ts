// A team's schedule with people named by letters, and readable texts of its shifts.
import { type Account, makeAccount, type Reply } from "../api/api.ts";
import { addColleague, type Colleague } from "../people/people.ts";

export type Rota = {
  readonly account: Account;
  readonly scheduleId: string;
  readonly teamId: string;
  /** The people, by letter; "A" is the account's admin. */
  readonly people: ReadonlyMap<string, string>;
  readonly ids: (letters: string) => string[];
  readonly letters: (ids: readonly string[]) => string;
  /** The people except the admin, with their own keys. */
  readonly colleagues: ReadonlyMap<string, Colleague>;
  /** Creates an event for people by letter; throws if it is refused. */
  readonly event: (who: string, more: Record<string, unknown>) => Promise<EventAnswer>;
  /** `POST /events/:id/<what>`. */
  readonly amend: (id: string, what: string, body: unknown) => Promise<Reply>;
  /** `1 2026-03-05T09:00Z..2026-03-06T09:00Z AB` for each entry of a window (UTC). */
  readonly window: (start: string, end: string) => Promise<string[]>;
  /** `1 AB` for each current entry. */
  readonly now: () => Promise<string[]>;
};

/** The attributes of an event that the tests read. */
type EventAnswer = {
  readonly id: string;
  readonly prefix_id: string;
  readonly parent_id: string | null;
  readonly schedule_ids: readonly string[];
  readonly updated_at: string;
};

type Entry = {
  readonly layer: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly attendees: readonly { readonly attendee_id: string }[];
};

const minute = (iso: string) => iso.replace(":00.000Z", "Z");

export async function makeRota(letters = "ABC"): Promise<Rota> {
  const account = await makeAccount();
  const colleagues = new Map<string, Colleague>();
  for (const letter of letters.slice(1)) {
    colleagues.set(letter, await addColleague(account, `${letter} Person`));
  }
  const people = new Map([["A", account.accountUserId]]);
  for (const [letter, { id }] of colleagues) people.set(letter, id);
  const letterOf = new Map([...people].map(([letter, id]) => [id, letter]));
  const ids = (who: string) => [...who].map((letter) => people.get(letter) ?? "");
  const { body: team } = await account.api("POST", "/teams", {
    name: "Payments",
    member_account_user_ids: ids(letters),
    admin_account_user_ids: ids("A"),
  });
  const read = (attendees: Entry["attendees"]) =>
    attendees.map((it) => letterOf.get(it.attendee_id) ?? "?").join("");
  const path = `/schedules/${team.schedule_id}`;
  const list = async (query: string): Promise<Entry[]> => {
    const { status, body, text } = await account.api("GET", `${path}/${query}`);
    if (status !== 200) throw new Error(text);
    return body;
  };
  return {
    account,
    scheduleId: team.schedule_id,
    teamId: team.id,
    people,
    ids,
    letters: (of) => of.map((id) => letterOf.get(id) ?? "?").join(""),
    colleagues,
    event: async (who, more) => {
      const { status, body, text } = await account.api("POST", "/events", {
        layer: 1,
        time_zone: "UTC",
        schedule_ids: [team.schedule_id],
        account_user_ids: ids(who),
        ...more,
      });
      if (status !== 201) throw new Error(text);
      return body;
    },
    amend: (id, what, body) => account.api("POST", `/events/${id}/${what}`, body),
    window: async (start, end) =>
      (await list(`window_events?start=${start}&end=${end}`)).map(
        ({ layer, start_time, end_time, attendees }) =>
          `${layer} ${minute(start_time)}..${minute(end_time)} ${read(attendees)}`,
      ),
    now: async () =>
      (await list("current_oncall")).map(({ layer, attendees }) => `${layer} ${read(attendees)}`),
  };
}

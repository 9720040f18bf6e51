/** Random writes of what decides when people are away: by hand, from calendars, on company holidays. */
import { newCalendar, utc } from "../oncall/calendars.ts";
import { DAY, HOUR, iso } from "../oncall/previewed.ts";
import { pick, type Random } from "../oncall/roster-random.ts";
import { idsOf, type LocalRota, type LocalWrite, listed, randomTime, upTo } from "./local-rota.ts";

/**
 * A person, mostly one of a rotation that skips who is away. If there is none yet, a rotation
 * does so from now on.
 */
async function skippablePerson(random: Random, rota: LocalRota): Promise<string> {
  const [anybody = ""] = idsOf(rota, pick(random, [..."ABCD"]));
  if (random() < 0.2) return anybody;
  const rotations = (await listed(rota, "/events")).filter((it) => it.rotation && !it.import_id);
  const skipping = rotations.filter((it) => it.when_away === "next_in_line");
  if (skipping.length === 0 && rotations.length > 0) {
    const { id } = pick<any>(random, rotations);
    await rota.api("PUT", `/events/${id}`, { when_away: "next_in_line" });
    await rota.follow();
  }
  const { account_user_ids: people = [] } = pick<any>(
    random,
    skipping.length > 0 ? skipping : [...rotations, {}],
  );
  return people.length > 0 ? pick<string>(random, people) : anybody;
}

/** A person is away, and nobody has said who serves instead. */
export async function writeOfAway(random: Random, rota: LocalRota): Promise<LocalWrite> {
  const all = await listed(rota, "/absences");
  const away = all.filter((it) => it.instead === "nobody_yet" && it.source === "person");
  const person = await skippablePerson(random, rota);
  const times = randomTime(random, -3 * DAY, 10 * 24);
  if (away.length === 0 || random() < 0.5) {
    return {
      method: "POST",
      path: "/absences",
      body: { account_user_id: person, ...times },
    };
  }
  const path = `/absences/${pick(random, away).id}`;
  return random() < 0.5 ? { method: "PUT", path, body: times } : { method: "DELETE", path };
}

/** The texts of the absence calendars' addresses: what a stand-in of `fetch` answers. */
export const absenceTexts = new Map<string, string>();

/** Another text at an address. */
function publishAbsences(random: Random, url: string): string {
  const start = Math.floor(Date.now() / HOUR) * HOUR + (upTo(random, 14 * 24) - 48) * HOUR;
  const event = {
    uid: "absence@example.com",
    dtstart: utc(start),
    dtend: utc(start + (1 + upTo(random, 9 * 24)) * HOUR),
    summary: "Away",
    ...(random() < 0.3 && { rrule: "FREQ=WEEKLY" }),
  };
  absenceTexts.set(url, newCalendar([event]));
  return url;
}

const randomAddress = (random: Random, { accountId }: LocalRota) =>
  publishAbsences(random, `https://hr.example.com/${accountId}/${upTo(random, 3)}.ics`);

/** An absence calendar that is to be made. */
async function absenceCalendar(random: Random, rota: LocalRota, source: Record<string, unknown>) {
  const person = await skippablePerson(random, rota);
  return { account_user_id: person, name: "Absences", ...source };
}

export async function writeOfAbsenceCalendar(
  random: Random,
  rota: LocalRota,
): Promise<LocalWrite | null> {
  const source = () =>
    random() < 0.3 ? { company_holidays: true } : { url: randomAddress(random, rota) };
  if (random() < 0.4) {
    const body = await absenceCalendar(random, rota, source());
    return { method: "POST", path: "/absence_calendars", body };
  }
  if ((await listed(rota, "/absence_calendars")).length < 2) {
    await rota.api("POST", "/absence_calendars", await absenceCalendar(random, rota, source()));
    await rota.follow();
  }
  const calendars = await listed(rota, "/absence_calendars");
  if (calendars.length === 0) return null;
  const { id, url } = pick<any>(random, calendars);
  const path = `/absence_calendars/${id}`;
  if (url !== null && random() < 0.4) {
    publishAbsences(random, url);
    return { method: "POST", path: `${path}/refresh` };
  }
  return pick<LocalWrite>(random, [
    { method: "PUT", path, body: source() },
    { method: "PUT", path, body: { name: "Other" } },
    { method: "DELETE", path },
  ]);
}

/** A company holiday that is to be made. */
function companyHoliday(random: Random) {
  const start = Date.now() + (upTo(random, 14) - 2) * DAY;
  return {
    name: "Company day",
    start_date: iso(start).slice(0, 10),
    end_date: iso(start + upTo(random, 4) * DAY).slice(0, 10),
    repeats_yearly: random() < 0.3,
  };
}

export async function writeOfHoliday(random: Random, rota: LocalRota): Promise<LocalWrite> {
  const calendars = await listed(rota, "/absence_calendars");
  if (!calendars.some((it) => it.company_holidays)) {
    const body = await absenceCalendar(random, rota, { company_holidays: true });
    await rota.api("POST", "/absence_calendars", body);
  }
  const body = companyHoliday(random);
  if (random() < 0.4) return { method: "POST", path: "/company_holidays", body };
  if ((await listed(rota, "/company_holidays")).length === 0) {
    await rota.api("POST", "/company_holidays", companyHoliday(random));
    await rota.follow();
  }
  const { id } = pick<any>(random, await listed(rota, "/company_holidays"));
  const path = `/company_holidays/${id}`;
  return pick<LocalWrite>(random, [
    { method: "PUT", path, body },
    { method: "PUT", path, body: { name: "Other" } },
    { method: "DELETE", path },
  ]);
}

/** An account with two schedules and teams, for random writes, and what their makers share. */
import { HOUR, iso, type Write } from "../oncall/previewed.ts";
import type { Random } from "../oncall/roster-random.ts";
import type { LocalAccount } from "./local-api.ts";

export type LocalWrite = Write & {
  /** By whom it is made: the index of the person, 0 is the admin. */
  readonly by?: number;
  /** Of a request for cover: who accepts it first. */
  readonly acceptedBy?: number;
};

export type LocalRota = LocalAccount & {
  readonly schedules: readonly string[];
  readonly teams: readonly string[];
};

export const LETTERS = "ABCDE";

export const idsOf = ({ people }: LocalRota, letters: string): string[] =>
  [...letters].map((letter) => people[LETTERS.indexOf(letter)] ?? "");

export const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

export async function listed({ api }: LocalRota, path: string): Promise<any[]> {
  // A schedule may have been deleted.
  return (await api("GET", `${path}?limit=50`)).body?.data ?? [];
}

export const randomTime = (random: Random, from: number, most: number) => {
  const start = Math.floor(Date.now() / HOUR) * HOUR + from + upTo(random, 20 * 48) * (HOUR / 2);
  return { start_datetime: iso(start), end_datetime: iso(start + (1 + upTo(random, most)) * HOUR) };
};

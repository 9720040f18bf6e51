// People with a notification rule, and the timers of their objects.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import type { Account } from "../api/api.ts";
import { givePhone } from "../people/phones.ts";
import { makePerson, type Person } from "../worker/world.ts";

export type Ruled = Person & { readonly number: string };

/** Creates a person with an e-mail address, a confirmed number, and these rules (YAML). */
export async function makeRuled(account: Account, name: string, rules: string): Promise<Ruled> {
  const person = await makePerson(account, name);
  const number = await givePhone(person.accountUserId);
  const made = await account.api("POST", "/notification_rules", { name: "Mine", rules });
  if (made.status !== 201) throw new Error(made.text);
  const updated = await account.api("PUT", `/account_users/${person.accountUserId}`, {
    notification_rule_id: made.body.id,
  });
  if (updated.status !== 200) throw new Error(updated.text);
  return { ...person, number };
}

export const personStub = ({ accountUserId }: Person) =>
  env.PERSON.getByName(prefixIdOf("account_user", accountUserId));

/** The timers of a person's object, in the order in which they are due. */
export const timersOf = (person: Person): Promise<{ key: string; next_at: number }[]> =>
  runInDurableObject(personStub(person), (_, state) => {
    const { sql } = state.storage;
    const known = sql.exec("select 1 from sqlite_master where name = 'timers'").toArray();
    if (known.length === 0) return [];
    const query = "select key, next_at from timers order by next_at";
    return sql.exec<{ key: string; next_at: number }>(query).toArray();
  });

/** Makes the person's first timer due and runs the alarm. */
export async function runNextTimer(person: Person): Promise<void> {
  const stub = personStub(person);
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec(
      "update timers set next_at = 0 where next_at = (select min(next_at) from timers)",
    );
    return state.storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stub);
}

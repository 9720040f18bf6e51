// The requirements for chosen passwords, and the cost of checking a password.
import * as crypto from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import { afterAll, describe, expect, test, vi } from "vitest";
import { COMMON_PASSWORDS } from "../../../src/domain/access/common-passwords.ts";
import { MIN_PASSWORD_LENGTH, passwordFault } from "../../../src/domain/access/password.ts";

const COMMONEST = dictionary["passwords-common"].slice(0, 10_000);
const OWNER = { name: "Fay Forgetful", emails: ["fay.forgetful@example.com"] };
const messageFor = (password: string) =>
  passwordFault(password, password, OWNER)?.errors[0]?.message;

describe("a chosen password", () => {
  test("is not one of the most common ones, regardless of case", () => {
    const long = COMMONEST.filter((it) => [...it].length >= MIN_PASSWORD_LENGTH);
    expect(COMMONEST).toHaveLength(10_000);
    expect(long.length).toBeGreaterThan(20);
    for (const it of long) {
      expect([it, messageFor(it)]).not.toEqual([it, undefined]);
      expect([it, messageFor(it.toUpperCase())]).not.toEqual([it, undefined]);
    }
  });

  test("is compared with the current list of the package", () => {
    const folded = COMMONEST.map((it) => it.normalize("NFKC").toLowerCase());
    const long = folded.filter((it) => [...it].length >= MIN_PASSWORD_LENGTH && !/\s/.test(it));
    expect(COMMON_PASSWORDS).toBe([...new Set(long)].join(" "));
  });

  test.each([
    "Fay.Forgetful@Example.com",
    "fayforgetful2024",
    "Forgetful!!!!2024",
    "FORGETFUL FAY",
  ])("%s is refused, as it contains the owner's name or is too easy", (password) =>
    expect(messageFor(password)).toMatch(/your name|too easy/),
  );

  test.each([
    "abcdefghijkl",
    "Password1234!",
    "qwertyuiopasdf",
    "1q2w3e4r5t6y7u",
    "tocsin-admin-2026",
  ])("%s is refused", (password) => expect(messageFor(password)).toBeDefined());

  test.each([
    "quite another lamp",
    "correct horse battery staple",
    "x7#kQ!29zz$pL0",
    "8392-0174-6592!",
    "ewfk-2k3j-9dkf-33mm",
    "пароль-от-лампы",
  ])("%s is accepted", (password) => expect(messageFor(password)).toBeUndefined());
});

test("passwords are hashed at full cost unless configured otherwise", async () => {
  const { hashPassword } = await import("../../../src/features/access/sessions/passwords.ts");
  expect(await hashPassword("a lamp")).toMatch(/^scrypt\$16384\$8\$5\$/);
  expect(await hashPassword("drawn at random", 1)).toMatch(/^scrypt\$16384\$8\$1\$/);
});

describe("checking a password", () => {
  const costs: number[] = [];
  vi.doMock("node:crypto", () => ({
    ...crypto,
    scrypt: (...given: Parameters<typeof crypto.scrypt>) => {
      costs.push((given[3] as { p: number }).p);
      crypto.scrypt(...given);
    },
  }));
  afterAll(() => vi.doUnmock("node:crypto"));

  test("takes the same work for every refusal, whatever hash is stored", async () => {
    vi.resetModules();
    const { checkPassword, hashPassword } = await import(
      "../../../src/features/access/sessions/passwords.ts"
    );
    const [first, chosen] = [await hashPassword("right", 1), await hashPassword("right")];
    const workOf = async (password: string, stored: string | null, isExpired: boolean) => {
      costs.length = 0;
      const isRight = await checkPassword(password, stored, isExpired);
      return [isRight, costs.reduce((sum, p) => sum + p, 0)];
    };
    expect(await workOf("wrong", null, false)).toEqual([false, 5]);
    expect(await workOf("wrong", chosen, false)).toEqual([false, 5]);
    expect(await workOf("wrong", first, false)).toEqual([false, 5]);
    expect(await workOf("wrong", first, true)).toEqual([false, 5]);
    expect(await workOf("right", first, true)).toEqual([true, 5]);
    expect(await workOf("wrong", "not a hash", false)).toEqual([false, 5]);
    expect(await workOf("right", chosen, false)).toEqual([true, 5]);
  });
});

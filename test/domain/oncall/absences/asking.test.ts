import { describe, expect, test } from "vitest";
import {
  ASKING_STATUSES,
  type AskedPerson,
  type Asking,
  type AskingAction,
  type AskingStatus,
  latestExpiry,
  statusAt,
  transition,
} from "../../../../src/domain/oncall/absences/asking.ts";
import { noticeKey, noticesDue } from "../../../../src/domain/oncall/absences/asking-notices.ts";
import { askingText } from "../../../../src/domain/oncall/absences/asking-text.ts";
import { isRefusal } from "../../../../src/domain/shared/refusal.ts";
import { at } from "../../../support/oncall/oncall-makers.ts";

const EXPIRY = at("2026-03-04T09:00Z");
const BEFORE = EXPIRY - 1;

/** People by letter: lower case for pending, `+` accepted, `-` declined: `b +C -D`. */
const asked = (text: string): AskedPerson[] =>
  text.split(" ").map((word) => {
    const answer = word.startsWith("+")
      ? "accepted"
      : word.startsWith("-")
        ? "declined"
        : "pending";
    const isAnswered = answer !== "pending";
    return {
      accountUserId: word.replace(/^[+-]/, "").toUpperCase(),
      answer,
      answeredAt: isAnswered ? 1 : null,
      channel: isAnswered ? "api" : null,
    };
  });

const shown = (people: readonly AskedPerson[]) =>
  people
    .map(({ accountUserId: id, answer }) => {
      if (answer === "pending") return id.toLowerCase();
      return `${answer === "accepted" ? "+" : "-"}${id}`;
    })
    .join(" ");

const request = (people: string, status: AskingStatus = "open"): Asking => ({
  status,
  expiresAt: EXPIRY,
  asked: asked(people),
});

const act = (type: "accept" | "decline" | "cancel", person: string): AskingAction =>
  type === "accept" || type === "decline"
    ? { type, accountUserId: person, channel: "sms" }
    : { type };

/** `status people`, or the refusal. */
function run(state: Asking, action: AskingAction, now = BEFORE): string {
  const next = transition(state, action, now, (id) => `Person ${id}`);
  if (isRefusal(next)) return `${next.reason}: ${next.errors[0]?.message}`;
  return `${next.status}: ${shown(next.asked)}`;
}

describe("a request", () => {
  test.each([
    ["b c", "accept", "B", "accepted: +B c"],
    ["b c", "decline", "B", "open: -B c"],
    ["-B c", "decline", "C", "declined: -B -C"],
    ["-B c", "accept", "B", "accepted: +B c"],
    ["-B c", "decline", "B", "conflict: you have already declined the request"],
    ["b", "decline", "B", "declined: -B"],
    ["b c", "accept", "D", "forbidden: only the people who are asked may answer the request"],
    ["b c", "decline", "D", "forbidden: only the people who are asked may answer the request"],
    ["b -C", "cancel", "A", "cancelled: b -C"],
  ] as const)("open with %s: %s by %s → %s", (people, type, person, expected) => {
    expect(run(request(people), act(type, person))).toBe(expected);
  });

  test.each([
    ["accepted", "+B c", "accept", "C", "Person B has already accepted the request"],
    ["accepted", "+B c", "accept", "B", "you have already accepted the request"],
    ["accepted", "+B c", "decline", "B", "you have already accepted the request"],
    ["accepted", "+B c", "cancel", "A", "Person B has already accepted the request"],
    ["declined", "-B -C", "accept", "B", "everybody who was asked has declined the request"],
    ["cancelled", "b c", "accept", "B", "the request was cancelled"],
    ["cancelled", "b c", "cancel", "A", "the request was cancelled"],
    ["expired", "b c", "accept", "B", "the request expired at 2026-03-04T09:00:00.000Z"],
  ] as const)("%s with %s refuses: %s by %s", (status, people, type, person, message) => {
    const said = run(request(people, status), act(type, person));
    expect(said).toBe(`conflict: ${message}`);
  });

  test("that is over stays as it is, whatever anybody does", () => {
    for (const status of ASKING_STATUSES.filter((it) => it !== "open")) {
      for (const type of ["accept", "decline", "cancel"] as const) {
        expect(run(request("+B c", status), act(type, "C")), `${status} ${type}`).toMatch(
          /^conflict/,
        );
      }
    }
  });

  test("expires on the instant, also if nothing has noted it", () => {
    expect(run(request("b"), act("accept", "B"), EXPIRY - 1)).toBe("accepted: +B");
    expect(run(request("b"), act("accept", "B"), EXPIRY)).toMatch(/^conflict: the request expired/);
    expect(statusAt(request("b"), EXPIRY)).toBe("expired");
    expect(statusAt(request("+B", "accepted"), EXPIRY)).toBe("accepted");
  });

  test("notes when and how a person has answered, and nothing of the others", () => {
    const state = request("b c");
    const next = transition(state, act("decline", "C"), BEFORE, String);
    if (isRefusal(next)) throw new Error("refused");
    expect(next.asked[0]).toBe(state.asked[0]);
    expect(next.asked[1]).toEqual({
      accountUserId: "C",
      answer: "declined",
      answeredAt: BEFORE,
      channel: "sms",
    });
  });

  test("waits at most until the hours begin, or those in return", () => {
    const [start, earlier] = [at("2026-03-04T09:00Z"), at("2026-03-02T09:00Z")];
    expect(latestExpiry({ startAt: start, inReturn: null })).toBe(start);
    const inReturn = { startAt: earlier, endAt: earlier + 1 };
    expect(latestExpiry({ startAt: start, inReturn })).toBe(earlier);
  });
});

describe("notices", () => {
  const due = (status: AskingStatus, people: string, ...sent: string[]) =>
    dueIn(null, status, people, sent);
  const dueIn = (
    round: number | null,
    status: AskingStatus,
    people: string,
    sent: readonly string[],
  ) => {
    const noticed = { accountUserId: "A", status, asked: asked(people), round };
    return noticesDue(noticed, new Set(sent)).map(noticeKey);
  };
  const ALL = ["asked:B", "asked:C", "asked:D"];

  test.each([
    ["open", "b c -D", [], ["asked:B", "asked:C"]],
    ["open", "b c", ["asked:B"], ["asked:C"]],
    ["accepted", "+B c -D", ALL, ["accepted:A", "confirmed:B", "taken:C"]],
    ["accepted", "+B c", ["asked:B"], ["accepted:A", "confirmed:B"]],
    ["accepted", "+B c", [...ALL, "accepted:A", "taken:C"], ["confirmed:B"]],
    ["declined", "-B -C", ALL, ["declined:A"]],
    ["expired", "b -C", ALL, ["expired:A"]],
    ["cancelled", "b c -D", ALL, ["cancelled:B", "cancelled:C"]],
    ["cancelled", "b c", [], []],
  ] as const)("%s with %s after %j", (status, people, sent, expected) => {
    expect(due(status, people, ...sent)).toEqual(expected);
  });

  test("are due again where people are asked again", () => {
    expect(dueIn(7, "open", "b c", ALL)).toEqual(["asked:B:7", "asked:C:7"]);
    expect(dueIn(7, "cancelled", "b c", [...ALL, "asked:B:7"])).toEqual(["cancelled:B:7"]);
    expect(dueIn(7, "accepted", "+B c", ["asked:C:7", "accepted:A"])).toEqual([
      ...["accepted:A:7", "confirmed:B:7", "taken:C:7"],
    ]);
  });

  test("each is due once", () => {
    for (const status of ASKING_STATUSES) {
      const first = due(status, "+B c -D", ...ALL);
      expect(due(status, "+B c -D", ...ALL, ...first)).toEqual([]);
    }
  });
});

describe("texts", () => {
  const content = {
    requester: "Ana",
    acceptedBy: "Ben",
    time: { startAt: at("2026-03-04T08:00Z"), endAt: at("2026-03-06T16:00Z") },
    hours: [
      {
        startAt: at("2026-03-04T08:00Z"),
        endAt: at("2026-03-04T16:00Z"),
        layer: 1,
        schedules: ["Payments"],
      },
    ],
    inReturn: null,
    reason: null,
    expiresAt: at("2026-03-03T08:00Z"),
  };
  const hours = "Wed 4 Mar 09:00 – 17:00 (Payments, step 1)";
  const inReturn = { startAt: at("2026-03-05T08:00Z"), endAt: at("2026-03-05T16:00Z") };
  const returned = "Thu 5 Mar 09:00 – 17:00";

  test.each([
    [
      "asked",
      `Ana asks you to cover ${hours}`,
      `Ana asks you to swap: you take ${hours}, Ana takes ${returned}`,
    ],
    [
      "accepted",
      `Ben covers you: ${hours}`,
      `Ben swaps with you: Ben takes ${hours}, you take ${returned}`,
    ],
    [
      "confirmed",
      `You cover Ana: ${hours}`,
      `You swap with Ana: you take ${hours}, Ana takes ${returned}`,
    ],
    ["declined", `Nobody covers you: everybody declined your request for ${hours}`, null],
    ["expired", `Nobody covers you: your request for ${hours} expired`, null],
    ["taken", `Ben covers Ana: ${hours}`, null],
    ["cancelled", `Ana no longer asks for cover: ${hours}`, null],
  ] as const)("%s, in the recipient's time zone", (kind, subject, ofSwap) => {
    const text = askingText(kind, content, "Berlin");
    expect(text.subject).toBe(subject);
    expect(text.text).toContain("Times in Berlin.");
    if (ofSwap) expect(askingText(kind, { ...content, inReturn }, "Berlin").subject).toBe(ofSwap);
  });

  test("name the expiry and the reason, and the time where no hours are left", () => {
    const { text } = askingText("asked", { ...content, reason: "Dentist" }, "UTC");
    expect(text).toContain("Reason: Dentist");
    expect(text).toContain("The request expires on Tue 3 Mar 08:00.");
    const without = askingText("expired", { ...content, hours: [] }, "UTC");
    expect(without.subject).toContain("Wed 4 Mar 08:00 – Fri 6 Mar 16:00");
  });
});

// Values as they are typed in the builder.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  listText,
  readList,
  readValue,
  valueText,
} from "../../../../src/domain/routing/builder/values.ts";

const scalar = fc.oneof(
  fc.string(),
  fc.constantFrom("1", "true", "null", " a", '"', 'a"b', "a,b", "-0", "1e3", "\n"),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => it || 0),
  fc.boolean(),
  fc.constant(null),
);

test("a value's text reads back as the value", () => {
  fc.assert(
    fc.property(scalar, (value) => {
      expect(readValue(valueText(value))).toBe(value);
    }),
  );
});

test("a list's text reads back as the list", () => {
  fc.assert(
    fc.property(fc.array(scalar), (values) => {
      expect(readList(listText(values))).toEqual(values);
    }),
  );
});

test("a number is a number, and a number in quotes a text", () => {
  expect(readValue("5")).toBe(5);
  expect(readValue('"5"')).toBe("5");
  expect(readValue(" critical ")).toBe("critical");
  expect(readList('db, 5, "a, b",')).toEqual(["db", 5, "a, b"]);
});

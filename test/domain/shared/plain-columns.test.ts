// Which columns the fields of a body set by their names.
import { getTableColumns } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { integrations } from "../../../src/features/schema/integrations.ts";
import { teams } from "../../../src/features/schema/oncall.ts";
import { plainColumns } from "../../../src/kernel/db/plain-columns.ts";
import { readSchemaTables } from "../../support/source/schema-tables.ts";

describe("the plain columns of a body", () => {
  test("are those with the names of its fields", () => {
    const body = { name: "Payments", drop_notifications: "admins", notes: null, elsewhere: 1 };
    expect(plainColumns(teams, body)).toEqual({
      name: "Payments",
      dropNotifications: "admins",
      notes: null,
    });
  });

  test("are none of fields that are absent, or null where the column is never null", () => {
    expect(plainColumns(teams, { name: undefined, attachments: null })).toEqual({});
  });

  test("are none of identifiers, of instants that the service sets, and of fields excepted", () => {
    const ids = { id: "1", prefix_id: "2", account_id: "3", schedule_id: "4" };
    const body = { ...ids, created_at: 1, updated_at: 2, name: "Payments", notes: "Day and night" };
    expect(plainColumns(teams, body, "name")).toEqual({ notes: "Day and night" });
  });

  test("are all others whose names end in `_id`", () => {
    const body = { accepts_id: false, integration_type: "webhook" };
    expect(plainColumns(integrations, body)).toEqual({
      acceptsId: false,
      integrationType: "webhook",
    });
  });

  test("are none of names that an object has by itself", () => {
    expect(plainColumns(teams, Object.create({ name: "inherited" }))).toEqual({});
  });
});

test("every column of the schema has the name of its property", async () => {
  const tables = await readSchemaTables();
  expect(tables.length).toBeGreaterThan(50);
  const columns = tables.flatMap((table) => Object.entries(getTableColumns(table)));
  const snakeCase = (property: string) =>
    property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const others = columns.filter(([property, { name }]) => name !== snakeCase(property));
  expect(others.map(([property, { name }]) => `${property}: ${name}`)).toEqual([]);
});

// What a list shows for a query string: the search, the order and the page.
import { expect, test } from "vitest";
import { type SortableColumn, viewOf } from "../../../src/kernel/console/list-view.ts";

type Row = { readonly name: string; readonly team: string; readonly size: number };

const COLUMNS: readonly SortableColumn<Row>[] = [
  { title: "Name", by: ({ name }) => name },
  { title: "Default team", by: ({ team }) => team },
  { title: "Size", by: ({ size }) => size },
  { title: "Change" },
];
const row = (name: string, team: string, size: number): Row => ({ name, team, size });
const ROWS = [
  row("Ölaf 10", "Сервер", 3),
  row("ana 9", "Database", 20),
  row("Ben 2", "Сервер", 100),
];

const view = (query: string, rows = ROWS) =>
  viewOf(new URL(`https://tocsin.example/teams${query}`), rows, COLUMNS, {
    column: "name",
    direction: "asc",
  });
const names = (query: string) => view(query).rows.map(({ name }) => name);

test.each([
  ["", ["ana 9", "Ben 2", "Ölaf 10"]],
  ["?sort=name&direction=desc", ["Ölaf 10", "Ben 2", "ana 9"]],
  ["?sort=size", ["Ölaf 10", "ana 9", "Ben 2"]],
  ["?sort=default-team", ["ana 9", "Ölaf 10", "Ben 2"]],
  ["?sort=change", ["ana 9", "Ben 2", "Ölaf 10"]],
  ["?sort=constructor&direction=sideways", ["ana 9", "Ben 2", "Ölaf 10"]],
  ["?q=СЕРВЕР", ["Ben 2", "Ölaf 10"]],
  ["?q=server ben", []],
  ["?q=ben+сер", ["Ben 2"]],
  ["?q=100", []],
])("the rows for %s", (query, expected) => {
  expect(names(query)).toEqual(expected);
});

test("numbers within names sort by value", () => {
  const rows = ["Rota 10", "Rota 9", "Rota 1"].map((name) => row(name, "", 0));
  expect(view("", rows).rows.map(({ name }) => name)).toEqual(["Rota 1", "Rota 9", "Rota 10"]);
});

test.each([
  ["", 1, 25, 0],
  ["?page=3", 3, 10, 50],
  ["?page=99", 3, 10, 50],
  ["?page=-1", 1, 25, 0],
  ["?page=2&q=5", 1, 15, 5],
])("the page for %s", (query, page, length, first) => {
  const rows = Array.from({ length: 60 }, (_, at) => row(`Row ${at}`, "", at));
  const shown = view(query, rows);
  expect([shown.page, shown.rows.length, shown.rows[0]?.size]).toEqual([page, length, first]);
});

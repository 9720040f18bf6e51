// Compile-time tests of declared forms: `npm run types` fails on an unused `@ts-expect-error`. Nothing here runs.

import { CreateEvent, OverrideEvent } from "../../src/features/oncall/events/parameters.ts";
import { CreateTeam } from "../../src/features/oncall/teams/parameters.ts";
import { type DeclaredForm, declareForm } from "../../src/kernel/console/declared-form.ts";
import type { FormState } from "../../src/kernel/console/form.tsx";

/** Parameters of a body compile, also if the schema transforms the whole body. */
export const right = [
  declareForm(CreateTeam, [{ name: "name", label: "Name" }]),
  declareForm(CreateEvent, [{ name: "start_datetime", label: "Start" }]),
  declareForm(OverrideEvent, [{ name: "start_time", label: "Start" }]),
];

// @ts-expect-error the body has no such parameter
export const unknown = declareForm(CreateTeam, [{ name: "title", label: "Title" }]);

export const grouped = declareForm(CreateTeam, [
  // @ts-expect-error the body has no such parameter, in a group
  { legend: "Group", fields: [{ name: "title", label: "Title" }] },
]);

export const special = declareForm(CreateTeam, [
  // @ts-expect-error the body has no such parameter, in a custom part
  { draw: () => null, parameters: ["title"] },
]);

// @ts-expect-error an alias, which the schema renames to another parameter
export const renamed = declareForm(OverrideEvent, [{ name: "start_datetime", label: "Start" }]);

// @ts-expect-error a field without a label
export const unnamed = declareForm(CreateTeam, [{ name: "name" }]);

type WithRoom = FormState & { readonly room: string };

export const stateful: DeclaredForm<FormState> = declareForm(CreateTeam, [
  // @ts-expect-error the page's state has no room
  { name: "name", label: "Name", help: ({ room }: WithRoom) => room },
]);

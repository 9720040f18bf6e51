// The routes of a schedule's history (contract 4, History).

import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound } from "../../../domain/shared/refusal.ts";
import { readListQuery } from "../../../kernel/db/list-query.ts";
import { created, found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made, manyOf, one } from "../../../kernel/http/shown.ts";
import { undoesChange } from "../../access/permissions/take-over-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { listChanges } from "./list-changes.ts";
import { readChange } from "./read-change.ts";
import { changeRecords } from "./rows.ts";
import { undoChange } from "./undo-change.ts";

export const changeRoutes = [
  route({
    method: "GET",
    path: "/schedules/:id/changes",
    operation: "listScheduleChanges",
    allow: "everyone",
    summary: "List the changes of a schedule",
    shows: manyOf("ScheduleChangeWithHours", changeRecords.attributes),
    handle: onRecord("schedule", async (request, identifier) => {
      const query = readListQuery(request.query, changeRecords.attributes, {}, request.longestPage);
      if (isRefusal(query)) return query;
      const page = await listChanges(request, identifier, query);
      if (isRefusal(page)) return page;
      const { data, total } = page;
      const has_more = query.offset + data.length < total;
      return { kind: "list", list: { data, has_more, total_count: total } };
    }),
  }),
  route({
    method: "GET",
    path: "/schedules/:id/changes/:change_id",
    operation: "getScheduleChange",
    allow: "everyone",
    summary: "Get a change of a schedule with its effect",
    shows: one(changeRecords, "ScheduleChangeWithEffect"),
    handle: onRecord("schedule", async (request, schedule) => {
      const change = parseIdentifier("change", request.params.change_id ?? "");
      return change ? found(await readChange(request, schedule, change)) : notFound("change");
    }),
  }),
  route({
    method: "POST",
    path: "/schedules/:id/changes/:change_id/undo",
    operation: "undoScheduleChange",
    allow: undoesChange,
    summary: "Undo a change of a schedule",
    shows: made(changeRecords),
    previews: true,
    refuses: ["conflict"],
    handle: onRecord(
      "schedule",
      handleChange(created, async (request, schedule) => {
        const change = parseIdentifier("change", request.params.change_id ?? "");
        return change ? undoChange(request, schedule, change) : notFound("change");
      }),
    ),
  }),
];

// The object classes with instruments, and an empty object as the baseline. The others of the
// worker take no part in an alert's life and are exported as they are.
import { DurableObject } from "cloudflare:workers";
import { AlertObject as PlainAlertObject } from "../../../src/objects/alerts/alert-object.ts";
import { DedupKeyObject as PlainDedupKey } from "../../../src/objects/alerts/dedup-key.ts";
import { LiveObject as PlainLiveObject } from "../../../src/objects/alerts/live/live-object.ts";
import { IntegrationInbox as PlainInbox } from "../../../src/objects/integrations/inbox/integration-inbox.ts";
import { OutgoingObject as PlainOutgoing } from "../../../src/objects/integrations/outgoing-object.ts";
import { PersonObject as PlainPersonObject } from "../../../src/objects/people/person-object.ts";
import { fireDue } from "./clock.ts";
import { Instruments } from "./instruments.ts";

export { AccessMailObject } from "../../../src/objects/access/access-mail-object.ts";
export { SecurityMailObject } from "../../../src/objects/access/security-mail-object.ts";
export { BulkOperationObject } from "../../../src/objects/alerts/lists/bulk-operation-object.ts";
export { BroadcastObject } from "../../../src/objects/broadcasts/broadcast-object.ts";
export { CoverRequestObject } from "../../../src/objects/oncall/absences/cover-request-object.ts";
export { AbsenceCalendarObject } from "../../../src/objects/oncall/calendars/absence-calendar-object.ts";
export { CalendarImportObject } from "../../../src/objects/oncall/calendars/calendar-import-object.ts";
export { ScheduleObject } from "../../../src/objects/oncall/schedule-object.ts";
export { TeamObject } from "../../../src/objects/oncall/team-object.ts";
export { OperationsObject } from "../../../src/objects/operations/operations-object.ts";
export { WelcomeObject } from "../../../src/objects/people/welcome-object.ts";

export const instruments = new Instruments();

export class EmptyObject extends DurableObject {
  async nothing(): Promise<number> {
    return 1;
  }
}

export class AlertObject extends PlainAlertObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instruments.enter("AlertObject", ctx, env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
  fireDue() {
    return fireDue(this.ctx.storage, () => this.alarm());
  }
}

export class IntegrationInbox extends PlainInbox {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instruments.enter("IntegrationInbox", ctx, env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
  fireDue() {
    return fireDue(this.ctx.storage, () => this.alarm());
  }
}

export class PersonObject extends PlainPersonObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instruments.enter("PersonObject", ctx, env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
  fireDue() {
    return fireDue(this.ctx.storage, () => this.alarm());
  }
}

export class LiveObject extends PlainLiveObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instruments.enter("LiveObject", ctx, env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
  fireDue() {
    return fireDue(this.ctx.storage, () => this.alarm());
  }
}

export class DedupKeyObject extends PlainDedupKey {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instruments.enter("DedupKeyObject", ctx, env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

export class OutgoingObject extends PlainOutgoing {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, instruments.enter("OutgoingObject", ctx, env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

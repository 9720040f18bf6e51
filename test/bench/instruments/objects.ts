// The object classes with instruments, and an empty object as the baseline. The others of the
// worker take no part in an alert's life and are exported as they are.
import { DurableObject } from "cloudflare:workers";
import { DedupKeyObject as PlainDedupKey } from "../../../src/features/alerts/object/dedup-key.ts";
import { LiveObject as PlainLiveObject } from "../../../src/features/alerts/object/live-object.ts";
import { AlertObject as PlainAlertObject } from "../../../src/features/alerts/object/object.ts";
import { OutgoingObject as PlainOutgoing } from "../../../src/features/integrations/deliveries/object.ts";
import { IntegrationInbox as PlainInbox } from "../../../src/features/integrations/inbox/object.ts";
import { PersonObject as PlainPersonObject } from "../../../src/features/notifications/pages/person-object.ts";
import { fireDue } from "./clock.ts";
import { Instruments } from "./instruments.ts";

export { AccessMailObject } from "../../../src/features/access/sessions/access-mail-object.ts";
export { SecurityMailObject } from "../../../src/features/access/sessions/security-mail-object.ts";
export { BulkOperationObject } from "../../../src/features/alerts/bulk-operations/object.ts";
export { BroadcastObject } from "../../../src/features/broadcasts/broadcasts/object.ts";
export { AbsenceCalendarObject } from "../../../src/features/oncall/absence-calendars/object.ts";
export { CoverRequestObject } from "../../../src/features/oncall/absences/object.ts";
export { CalendarImportObject } from "../../../src/features/oncall/calendar-imports/object.ts";
export { ScheduleObject } from "../../../src/features/oncall/schedules/object.ts";
export { TeamObject } from "../../../src/features/oncall/teams/object.ts";
export { OperationsObject } from "../../../src/features/operations/audits/object.ts";
export { StandbyObject } from "../../../src/features/operations/standby/object.ts";
export { WelcomeObject } from "../../../src/features/people/invitations/object.ts";

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

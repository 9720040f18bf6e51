// One message of an outgoing integration.
import * as z from "zod";
import { DELIVERY_STATUSES } from "../../domain/delivery-attempts.ts";
import { choice, common, identifier, instant, integer, text } from "../shared/fields.ts";

export const Delivery = z.object({
  ...common("delivery"),
  integration_id: identifier("integration", "The integration that tells it."),
  alert_id: identifier("alert", "The alert that it is about.").nullable(),
  event: text("What happened.", "alert.open"),
  status: choice(DELIVERY_STATUSES, "How far it got.", "delivered"),
  attempts: integer("How often it was sent.", 1),
  response_code: integer("The receiver's last answer.", 200).nullable(),
  reason: text("Why it has not arrived: what the receiver answered.", null).nullable(),
  queued_at: instant("When it was queued, the last time."),
  attempted_at: instant("When it was last sent.").nullable(),
  next_attempt_at: instant("When it is sent again by itself.", null).nullable(),
  delivered_at: instant("When it is known to have arrived.").nullable(),
  failed_at: instant("When it was given up.", null).nullable(),
});
export type Delivery = z.output<typeof Delivery>;

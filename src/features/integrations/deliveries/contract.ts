// One message of an outgoing integration.
import * as z from "zod";
import { DELIVERY_STATUSES } from "../../../domain/integrations/delivery-attempts.ts";
import {
  choice,
  common,
  identifier,
  instant,
  integer,
  text,
} from "../../../kernel/contract/fields.ts";

export const Delivery = z.object({
  ...common("delivery"),
  integration_id: identifier("integration", "The integration that sends the message."),
  alert_id: identifier("alert", "The alert of the delivery.").nullable(),
  event: text("The event.", "alert.open"),
  status: choice(DELIVERY_STATUSES, "The status.", "delivered"),
  attempts: integer("The number of attempts.", 1),
  response_code: integer("The status code of the receiver's last response.", 200).nullable(),
  reason: text("The reason for a failure: the receiver's response.", null).nullable(),
  queued_at: instant("When the delivery was last queued."),
  attempted_at: instant("The time of the last attempt.").nullable(),
  next_attempt_at: instant("The time of the next automatic attempt.", null).nullable(),
  delivered_at: instant("When the provider reported the delivery.").nullable(),
  failed_at: instant("When the delivery failed permanently.", null).nullable(),
});
export type Delivery = z.output<typeof Delivery>;

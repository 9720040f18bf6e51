// Interprets a request by its type and the integration's templates. Pure; never throws.
import { integrationFacts } from "../domain/integrations/integration-facts.ts";
import type { InboundEvent, InboundRequest, IntegrationType, Options } from "./integration-type.ts";
import { fieldsOf } from "./reading/payload.ts";
import { applyTemplates } from "./reading/templates.ts";

/** The events of a request, with the integration's templates applied to each `create`. */
export function interpretRequest(
  type: IntegrationType,
  request: InboundRequest,
  options: Options,
  integration: Parameters<typeof integrationFacts>[0] | null = null,
): readonly InboundEvent[] {
  const events = type.translate(request, options);
  const facts = integration && integrationFacts(integration);
  const { body } = request;
  const isList = Array.isArray(body) && body.length === events.length;
  return events.map((event, index) => {
    if (event.kind !== "create") return event;
    const data = () => (isList ? body[index] : fieldsOf(request));
    return applyTemplates(event, data, request, options, facts);
  });
}

import type { IntegrationType } from "../../features/integrations/integrations/contract.ts";

/** Whether a type accepts events; one that does not sends messages. */
export const acceptsEvents = ({ supports }: Pick<IntegrationType, "supports">): boolean =>
  supports.create || supports.acknowledge || supports.resolve;

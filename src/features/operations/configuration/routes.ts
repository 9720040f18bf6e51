// The routes of an account's configuration as one file (contract 2, Configuration).
import { found, yamlFile } from "../../../kernel/http/answers.ts";
import { asksForPreview, route } from "../../../kernel/http/route.ts";
import { exactly, yaml } from "../../../kernel/http/shown.ts";
import { ImportConfiguration } from "./configuration-parameters.ts";
import { exportConfiguration } from "./export-configuration.ts";
import { importConfiguration } from "./import-configuration.ts";

export const configurationRoutes = [
  route({
    method: "GET",
    path: "/configuration",
    operation: "exportConfiguration",
    allow: "admin",
    summary: "Export the configuration as YAML",
    description:
      "People, notification rules, schedules with their events and absences from now on, escalation " +
      "policies, teams, routers, and integrations without their secrets. Records are identified by `key`, people by e-mail address.",
    shows: yaml,
    handle: async (request) => yamlFile("configuration", await exportConfiguration(request)),
  }),
  route({
    method: "POST",
    path: "/configuration",
    operation: "importConfiguration",
    allow: "admin",
    summary: "Import a configuration file",
    description:
      "Creates and changes what differs, in one transaction or not at all. What the file does not " +
      "mention stays. Importing a file again changes nothing.",
    shows: exactly("ConfigurationImport"),
    query: "ConfigurationQuery",
    refuses: ["conflict", "forbidden"],
    // Repeating the request is harmless.
    keepsNoAnswer: true,
    body: ImportConfiguration,
    handle: async (request) =>
      found(await importConfiguration(request, request.body, asksForPreview(request.query))),
  }),
];

// Stands in for zod's JSON Schema generator in the worker, by wrangler.toml's alias: only the reference, which is built in
// Node, makes JSON schemas, and the generator is larger than the schemas.

const none = () => () => {
  throw new Error("the worker makes no JSON schemas");
};

export {
  none as createStandardJSONSchemaMethod,
  none as createToJSONSchemaMethod,
  none as toJSONSchema,
};

// Replaces zod's JSON Schema generator in the worker, through the alias in wrangler.toml. Only the
// reference, which is built in Node, needs the generator; it is larger than the schemas.

const none = () => () => {
  throw new Error("the worker makes no JSON schemas");
};

export {
  none as createStandardJSONSchemaMethod,
  none as createToJSONSchemaMethod,
  none as toJSONSchema,
};

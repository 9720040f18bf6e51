// Shows the document, in the colours that the reader's system asks for. Loads nothing from another host.
const dark = matchMedia("(prefers-color-scheme: dark)");
const followSystem = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followSystem);
followSystem();

/** Names the fields and reaches the examples that Swagger UI leaves to the mouse. */
function makeAccessible() {
  for (const field of document.querySelectorAll("select, textarea, input")) {
    if (field.labels?.length || field.ariaLabel) continue;
    field.ariaLabel = field.closest("[data-param-name]")?.dataset.paramName ?? "Example";
  }
  for (const example of document.querySelectorAll("pre.microlight")) example.tabIndex = 0;
}
let coming;
new MutationObserver(() => {
  clearTimeout(coming);
  coming = setTimeout(makeAccessible, 100);
}).observe(document.body, { childList: true, subtree: true });

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: true,
  validatorUrl: null,
});

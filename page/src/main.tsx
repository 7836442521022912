// Where it begins: the styles, and the page put into its document.
import { render } from "preact";
import { App } from "./app";
import "./style/tokens.css";
import "./style/shell.css";
import "./style/moment.css";
import "./style/parts.css";
import "./style/views.css";

const root = document.getElementById("app");
if (root) {
  root.textContent = "";
  render(<App />, root);
}

// Drives a real browser for the tests: one line of JSON in, one line out. Every host but the server under test is blocked
// and noted, and so is whatever the page complains of.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const require = createRequire(process.env.PAGE_MODULES + "/");
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const WAIT = 15_000;
const MOST = 90_000;
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--no-first-run", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
let context, page, noted, measures;

function where(at) {
  const inside = at.in ? page.locator(at.in) : page;
  if (at.css) return inside.locator(at.css).first();
  if (at.label) return inside.getByLabel(at.label, { exact: at.exact ?? true }).and(page.locator("input, textarea, select")).first();
  return inside.getByRole(at.role, { name: at.name, exact: at.exact ?? true }).first();
}

const commands = {
  async fresh({ base, options }) {
    await context?.close();
    noted = { blocked: [], errors: [], requests: [] };
    context = await browser.newContext({ ...options, permissions: ["clipboard-read", "clipboard-write"] });
    await context.route("**/*", (route) => {
      const url = route.request().url();
      if (url.startsWith(base) || url.startsWith("blob:") || url.startsWith("data:")) return route.continue();
      noted.blocked.push(url);
      return route.abort();
    });
    page = await context.newPage();
    measures = undefined;
    page.setDefaultTimeout(WAIT);
    page.on("pageerror", (error) => noted.errors.push(String(error)));
    page.on("request", (request) => noted.requests.push(request.url()));
    page.on("console", (said) => {
      if (said.type() === "error" && !/status of (4\d\d)/.test(said.text())) noted.errors.push(said.text());
    });
    page.on("dialog", (dialog) => (noted.errors.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  },
  async goto({ url }) {
    if (page.url().split("#")[0] === url.split("#")[0]) await page.evaluate((to) => (location.href = to), url);
    else await page.goto(url);
  },
  async reload() {
    await page.reload();
  },
  async click({ at }) {
    await where(at).click();
  },
  async fill({ at, text }) {
    await where(at).fill(text);
  },
  async choose({ at, value }) {
    await where(at).selectOption(value);
  },
  async check({ at }) {
    await where(at).check();
  },
  async focus({ at }) {
    await where(at).focus();
  },
  async press({ keys }) {
    await page.keyboard.press(keys);
  },
  async drag({ at, by }) {
    const box = await where(at).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 5; step += 1) await page.mouse.move(x + (by * step) / 5, y);
    await page.mouse.up();
  },
  async text({ css }) {
    return await page.locator(css).first().innerText();
  },
  async texts({ css }) {
    return await page.locator(css).allInnerTexts();
  },
  async count({ css }) {
    return await page.locator(css).count();
  },
  async attribute({ css, name }) {
    return await page.locator(css).first().getAttribute(name);
  },
  async value({ at }) {
    return await where(at).inputValue();
  },
  async visible({ at }) {
    return await where(at).isVisible();
  },
  async evaluate({ js }) {
    return await page.evaluate(js);
  },
  async until({ js, seconds }) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const value = await page.evaluate(js);
      if (value) return value;
      if (Date.now() > end) return null;
      await new Promise((wake) => setTimeout(wake, 60));
    }
  },
  async download({ at }) {
    const [saved] = await Promise.all([page.waitForEvent("download"), where(at).click()]);
    return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), "utf8") };
  },
  async shot({ path, whole }) {
    await page.screenshot({ path, fullPage: whole ?? false });
  },
  async axe() {
    await page.evaluate(AXE);
    const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
    return found.violations.map((one) => ({ id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 4).map((node) => node.html + " " + node.failureSummary) }));
  },
  async metrics() {
    measures ??= await context.newCDPSession(page);
    await measures.send("Performance.enable", { timeDomain: "threadTicks" });
    const { metrics } = await measures.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map((one) => [one.name, one.value]));
  },
  async noted() {
    return { ...noted, cookies: await context.cookies() };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...args } = JSON.parse(line);
  let answer;
  try {
    const late = new Promise((_, no) => setTimeout(() => no(new Error(`${command} took too long`)), Math.max(MOST, 1000 * (args.seconds ?? 0) + 10_000)).unref());
    answer = { value: (await Promise.race([commands[command](args), late])) ?? null };
  } catch (error) {
    answer = { error: String(error).slice(0, 2000) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
await browser.close();

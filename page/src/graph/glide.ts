// What is seen while a crowded drawing moves? Where drawing it anew takes long, the picture that is there, moved, turned and
// made larger or smaller as an image: that costs next to nothing. Once it rests, or has gone far from what the picture
// shows, it is drawn again. Where drawing is quick, as with a graphics card, every step is drawn.
import type Sigma from "sigma";
import type { CameraState } from "sigma/types";
import { matrixFromCamera } from "sigma/utils";

const REST_MILLISECONDS = 160;
/** What is drawn within this time is drawn at every step. */
const QUICK_MILLISECONDS = 8;
/** The picture is drawn again on the way when it is shown so much larger, or when so little of it is left to see. */
const MOST_LARGER = 2.5;
const LEAST_COVERED = 0.5;
/** And never sooner than after so many times what drawing it takes. */
const TIMES_APART = 6;
/** What the picture is made of, from below; while it is shown, they and the others are not. */
const LAYERS = ["edges", "nodes", "labels"];
const OTHERS = ["edgeLabels", "hovers", "hoverNodes"];
const MEASURE = 1_000;

interface Matrices {
  matrix: Float32Array;
  invMatrix: Float32Array;
}

export class Glide {
  /** For who wants to know how it moved: steps shown by the picture, pictures drawn, and what drawing one takes. */
  readonly told = { moved: 0, drawn: 0, milliseconds: Number.POSITIVE_INFINITY };
  /** Where the camera was when the picture was drawn. */
  private from: CameraState | null = null;
  /** One image in place of six: to move an image takes time for each. */
  private readonly picture = document.createElement("canvas");
  private readonly paper = this.picture.getContext("2d", { alpha: false })!;
  private begun = 0;
  private ended = 0;
  private processed = false;
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** `rested`: draws what is to be seen once it rests. */
  constructor(
    private readonly sigma: Sigma,
    private readonly rested: () => void,
  ) {
    this.picture.className = "canvas-picture";
    this.picture.hidden = true;
    sigma.getContainer().prepend(this.picture);
    const draw = sigma.scheduleRender.bind(sigma);
    sigma.scheduleRender = () => {
      if (this.from === null || this.isThere()) return draw();
      this.rest();
      if (this.told.milliseconds <= QUICK_MILLISECONDS || this.isFar()) return draw();
      this.move();
      return sigma;
    };
    sigma.on("beforeRender", () => {
      this.begun = performance.now();
      this.processed = false;
    });
    sigma.on("beforeProcess", () => (this.processed = true));
    sigma.on("afterRender", () => this.drawn());
  }

  /** Once nothing has moved for a moment. */
  rest(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rested(), REST_MILLISECONDS);
  }

  /** At once, as before something is chosen: what lies under the pointer is read from what was drawn. */
  settle(): void {
    if (this.from !== null && !this.isThere()) this.sigma.refresh({ partialGraph: {}, skipIndexation: true });
  }

  stop(): void {
    clearTimeout(this.resting);
    this.picture.remove();
  }

  private isThere(): boolean {
    const [now, from] = [this.sigma.getCamera().getState(), this.from!];
    return now.x === from.x && now.y === from.y && now.ratio === from.ratio && now.angle === from.angle;
  }

  private isFar(): boolean {
    if (performance.now() - this.ended < this.told.milliseconds * TIMES_APART) return false;
    const [a, b, c, d, x, y] = this.way();
    const larger = Math.hypot(a, b);
    const { width, height } = this.sigma.getDimensions();
    // the box around what is left of the picture, as much of it as lies in the window
    const xs = [x, x + a * width, x + c * height, x + a * width + c * height];
    const ys = [y, y + b * width, y + d * height, y + b * width + d * height];
    const across = Math.min(width, Math.max(...xs)) - Math.max(0, Math.min(...xs));
    const down = Math.min(height, Math.max(...ys)) - Math.max(0, Math.min(...ys));
    return larger > MOST_LARGER || (Math.max(0, across) * Math.max(0, down)) / (width * height) < LEAST_COVERED;
  }

  /** From where the picture shows something to where that is now, as the six numbers of a flat transformation. */
  private way(): [number, number, number, number, number, number] {
    const { sigma } = this;
    const [before, now] = [{ cameraState: this.from! }, { cameraState: sigma.getCamera().getState() }];
    const to = (x: number, y: number) => sigma.framedGraphToViewport(sigma.viewportToFramedGraph({ x, y }, before), now);
    const [origin, right, down] = [to(0, 0), to(MEASURE, 0), to(0, MEASURE)];
    return [
      (right.x - origin.x) / MEASURE,
      (right.y - origin.y) / MEASURE,
      (down.x - origin.x) / MEASURE,
      (down.y - origin.y) / MEASURE,
      origin.x,
      origin.y,
    ];
  }

  private move(): void {
    const { sigma } = this;
    if (this.picture.hidden) this.show(true);
    this.picture.style.transform = `matrix(${this.way().join(",")})`;
    // where a wheel turns or a pointer drags is reckoned from these, which sigma brings up to date only when it draws
    const state = sigma.getCamera().getState();
    const about = [state, sigma.getDimensions(), sigma.getGraphDimensions(), sigma.getStagePadding()] as const;
    const matrices = sigma as unknown as Matrices;
    matrices.matrix = matrixFromCamera(...about);
    matrices.invMatrix = matrixFromCamera(...about, true);
    this.told.moved += 1;
  }

  private show(picture: boolean): void {
    const canvases = this.sigma.getCanvases();
    this.picture.hidden = !picture;
    for (const name of [...LAYERS, ...OTHERS]) canvases[name]!.style.display = picture ? "none" : "";
  }

  private drawn(): void {
    this.from = this.sigma.getCamera().getState();
    this.told.drawn += 1;
    if (!this.picture.hidden) this.show(false);
    const quick = this.told.milliseconds <= QUICK_MILLISECONDS;
    if (!this.processed) this.told.milliseconds = this.measured();
    if (!quick) this.take();
    this.ended = performance.now();
  }

  /** To read a point of what is drawn is to wait until all of it is. */
  private measured(): number {
    const { nodes } = this.sigma.getCanvases();
    const gl = nodes!.getContext("webgl2") ?? nodes!.getContext("webgl");
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - this.begun;
  }

  /** What was drawn is there to be copied only until the browser has shown it. */
  private take(): void {
    const { picture, paper } = this;
    const canvases = this.sigma.getCanvases();
    const { width, height } = canvases.nodes!;
    if (picture.width !== width || picture.height !== height) Object.assign(picture, { width, height });
    paper.fillStyle = getComputedStyle(picture.parentElement!.parentElement!).backgroundColor;
    paper.fillRect(0, 0, width, height);
    for (const name of LAYERS) paper.drawImage(canvases[name]!, 0, 0);
  }
}

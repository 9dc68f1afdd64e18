/** A notification of the browser and a sound for each new ask, once a person has asked for them. */
export class Alerts {
  #sound: AudioContext | null = null;
  #areOn = false;

  /** On or off; on only where the browser lets us. Resolves to what it is now. */
  async toggle(): Promise<boolean> {
    this.#areOn = !this.#areOn && (await Notification.requestPermission()) === 'granted';
    if (this.#areOn) this.#sound ??= new AudioContext(); // browsers start one only while a button is pressed
    return this.#areOn;
  }

  /** Many of one `id` are one. */
  alert(text: string, id: string): void {
    if (!this.#areOn) return;
    if (document.hidden) new Notification('Countersign', { body: text, tag: id });
    this.#beep();
  }

  #beep(): void {
    if (!this.#sound) return;
    const { currentTime } = this.#sound;
    const tone = this.#sound.createOscillator();
    const volume = this.#sound.createGain();
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.08, currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.25);
    tone.connect(volume).connect(this.#sound.destination);
    tone.start();
    tone.stop(currentTime + 0.25);
  }
}

# The server, as a user without rights, on a file system that may be read-only: all it writes is in /data.
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements/image.lock requirements/image.lock
RUN python -m venv /opt/treering && /opt/treering/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements/image.lock
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/treering/bin/pip install --no-cache-dir --no-deps --no-build-isolation . && /opt/treering/bin/pip uninstall --yes hatchling pathspec pluggy tomlkit trove-classifiers

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin treering \
    && mkdir /data && chown treering:treering /data
COPY --from=build /opt/treering /opt/treering
ENV PATH=/opt/treering/bin:$PATH HOME=/data XDG_DATA_HOME=/data PYTHONDONTWRITEBYTECODE=1 TMPDIR=/tmp
USER 10001
VOLUME ["/data", "/tmp"]
EXPOSE 8321
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8321/readyz', timeout=2)"]
ENTRYPOINT ["treering"]
CMD ["serve", "--host", "0.0.0.0"]

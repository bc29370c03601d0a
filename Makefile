.PHONY: setup start dev test check generate build bench conformance format

setup:
	npm ci

start dev test check generate build bench conformance format:
	npm run --silent $@

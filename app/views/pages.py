from flask import Blueprint
blueprint = Blueprint("pages", __name__)
